import { counted } from '../base/counted.ts'
import { giveMemoryBack } from '../base/memory.ts'
import type { CommandFile, Outcome, Session, Words } from '../command.ts'
import { advisedInDoubt, perhapsDone } from '../connection/unknown-outcome.ts'
import { createProgress } from '../output/progress.ts'
import type { PlannedChunk } from './chunk-rows.ts'
import { areSkipped, equalRows } from './equal-rows.ts'
import {
  checkErrorsFile,
  type ErrorsFile,
  errorsNameOf,
  freeName,
  openErrorsFile,
  settleErrorsFile,
} from './errors-file.ts'
import { openSource } from './formats/csv-source.ts'
import { readImport } from './formats/import-file.ts'
import type { ReadyFile } from './formats/ready-file.ts'
import { withSavedMaps } from './formats/saved-map.ts'
import { type ChunkedKind, fulfillmentsFile, noDay } from './import-kind.ts'
import { defineImport, defineOrders, type ImportOptions } from './import-options.ts'
import { doneRows, type ImportTotals, importView, reportDryRun, reportImport } from './import-report.ts'
import { type FilePlan, planFile } from './plan-file.ts'
import { repeatsOf } from './repeats.ts'
import { orderHeld, type Sending, type SentChunk, sendChunk } from './send-chunk.ts'

/** How many errors the JSON result has; the errors file has all. */
const errorsMax = 1000

const interruptedAdvice = 'the same command again sends the rest, and nothing twice'

type Planned = Omit<Sending, 'client' | 'repeats' | 'equals' | 'sums' | 'stop'> & {
  separator: ReadyFile['separator']
}

/** `products import` or `fulfillments import`: checks the file, then sends it in chunks. The same command again goes on. */
export function importCommand(kind: ChunkedKind, words: Words): CommandFile<[string, ImportOptions]> {
  return {
    ...words,
    define(command) {
      defineImport(command.argument('<file>', 'A CSV or Excel (.xlsx) file, or - for stdin'))
      if (isOrders(kind)) defineOrders(command)
      command.option('--resume', 'Continue an interrupted import (the same as running it again)')
    },
    view: (_format, _file, options) => (options?.dryRun ? undefined : importView(kind)),
    writesCsv: true,
    run: (session, file, options) => runImport(session, kind, file, options),
  }
}

function isOrders(kind: Pick<ChunkedKind, 'name'>): boolean {
  return kind.name === fulfillmentsFile.name
}

async function runImport(
  session: Session,
  kind: ChunkedKind,
  file: string,
  typed: ImportOptions,
): Promise<Outcome> {
  const options = withSavedMaps(session.io, typed)
  const given = await openSource(session.io, file)
  const planned = await readImport(session, kind, given, options, async (ready): Promise<Planned> => {
    const useLint = options.lint !== false
    const plan = await planOf(session, ready, options, useLint)
    return { ...ready, header: plan.header, useLint, plan }
  })
  try {
    return await (options.dryRun ? tryOut(session, planned) : sendFile(session, planned, options))
  } finally {
    planned.source.dispose()
  }
}

async function planOf(
  session: Session,
  file: ReadyFile<ChunkedKind>,
  options: ImportOptions,
  useLint: boolean,
): Promise<FilePlan> {
  const { shipBy = file.isShop ? 'order' : 'row', combine } = options
  const groups = isOrders(file.kind) && shipBy === 'order'
  const today = options.dryRun ? todayOf(session) : noDay
  const progress = createProgress(session.io, 'checking')
  let done = 0
  try {
    const plan = await planFile(file.source.pieces(), {
      ...file,
      ...{ today, useLint, groups },
      ...(combine && { combine }),
      onProgress: (bytes) => {
        done += bytes
        return progress.update(done, file.source.bytes, 'bytes')
      },
    })
    if (!groups) return plan
    const { planOrders } = await import('./ship-orders.ts')
    return await planOrders({ ...file, header: plan.header, useLint }, plan, today)
  } finally {
    progress.end()
  }
}

/** A UTC date. */
function todayOf({ io }: Session): string {
  return new Date(io.now()).toISOString().slice(0, 10)
}

/** --dry-run: what sending would say, as far as it can be told without it. */
async function tryOut(session: Session, planned: Planned): Promise<Outcome> {
  const { source, plan, kind } = planned
  const { orders, rows, bad, combined } = plan
  const parcels = orders ?? rows - bad - combined.size
  if (isOrders(kind)) {
    const of = orders === undefined ? '' : ` of ${counted(orders, 'order')}`
    session.notice(`${counted(rows, 'row')}${of}: ${counted(parcels, 'parcel')}.`)
  }
  const printRows = async (): Promise<void> => {
    await (await import('./our-rows.ts')).printOurRows(session, planned, todayOf(session))
    if (orders !== undefined) session.notice('To import this list, add --ship-by order.')
  }
  return reportDryRun(session, source.name, { ...plan, ...(isOrders(kind) && { parcels }) }, printRows)
}

async function sendFile(session: Session, planned: Planned, options: ImportOptions): Promise<Outcome> {
  const { plan, kind, source } = planned
  checkErrorsFile(session.io.cwd, options.errors)
  const target = await session.targetToWrite()
  const sending: Sending = {
    ...planned,
    client: target.client,
    repeats: await repeatsOf(session, target, options),
    equals: equalRows(session, options),
    sums: new Map(),
    stop: session.io.stopSignal(),
  }
  const wanted = options.errors ?? errorsNameOf(source.name)
  const errors = openErrorsFile(session, freeName(session.io.cwd, wanted), planned)
  const totals: ImportTotals = { created: 0, orders: 0, same: 0, failed: 0, sent: 0, errors: [] }
  try {
    if (!(await sendChunks(session, sending, totals, errors))) {
      session.notice(`Interrupted. ${howToGoOn(totals, plan, options)}`)
      return 'interrupted'
    }
  } catch (error) {
    if (doneRows(totals) > 0) session.notice(howToGoOn(totals, plan, options))
    const advice = options.again ? 'look with ls before you repeat it' : interruptedAdvice
    throw advisedInDoubt(error, `${perhapsDone}: ${advice}.`)
  }
  return reportImport(session, { plan, kind }, totals, settleErrorsFile(session, wanted, errors))
}

/** One chunk after the other. False if it was interrupted between two. */
async function sendChunks(
  session: Session,
  sending: Sending,
  totals: ImportTotals,
  errors: ErrorsFile,
): Promise<boolean> {
  const { plan, stop, equals } = sending
  const { chunks, rows } = plan
  const send = plan.orders === undefined ? sendChunk : (await import('./ship-orders.ts')).sendOrders
  const progress = createProgress(session.io, 'sending')
  const add = (result: SentChunk): void => {
    errors.write(result.failed)
    addUp(totals, result)
  }
  try {
    for (const chunk of chunks) {
      if (stop.aborted) return false
      await progress.update(chunk.firstRow - 1, rows, 'rows')
      add(await send(sending, chunk))
      await giveMemoryBack()
    }
    progress.end()
    if (equals.held.length > 0) await settleHeld(session, sending, add, totals)
    return true
  } catch (error) {
    if (stop.aborted && (error === stop.reason || (error as Error).name === 'AbortError')) return false
    throw error
  } finally {
    progress.end()
  }
}

/** Rows that equal earlier orders, of which only the operator can tell whether they are the same. */
async function settleHeld(
  session: Session,
  sending: Sending,
  add: (result: SentChunk) => void,
  totals: ImportTotals,
): Promise<void> {
  const { equals, plan } = sending
  const held = new Set(equals.held.map(({ row }) => row))
  const summed = [...plan.combined.values()].filter((row) => held.has(row)).length
  const isSkipped = await areSkipped(session, equals.held)
  totals[isSkipped ? 'same' : 'created'] += summed
  if (isSkipped) totals.same += held.size
  else for (const chunk of plan.chunks) if (isHeld(sending, chunk)) add(await orderHeld(sending, chunk))
}

function isHeld({ equals }: Sending, { firstRow, rows }: PlannedChunk): boolean {
  return equals.held.some(({ row }) => row >= firstRow && row < firstRow + rows)
}

function addUp(totals: ImportTotals, { created, orders, same, failed, sent, errors }: SentChunk): void {
  totals.created += created
  totals.orders += orders
  totals.same += same
  totals.failed += failed.length
  totals.sent += sent
  totals.errors.push(...errors.slice(0, errorsMax - totals.errors.length))
}

function howToGoOn(totals: ImportTotals, { rows }: FilePlan, { again }: ImportOptions): string {
  const [done, all] = [doneRows(totals), rows].map((count) => count.toLocaleString('en'))
  const advice = again ? 'with --again they would be sent once more' : interruptedAdvice
  return `${done} of ${all} rows are done; ${advice}.`
}
