import type { CsvRowError } from '../../contract/resources/error.ts'
import type { FulfillmentRow } from '../../domain/fulfillments/fulfillment-csv.ts'
import { usage } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import { giveMemoryBack } from '../base/memory.ts'
import type { CommandFile, Outcome, Session, Words } from '../command.ts'
import { advisedInDoubt, maybeDone } from '../connection/unknown-outcome.ts'
import { askTarget } from '../find/ask-target.ts'
import { createProgress } from '../output/progress.ts'
import { rowsOfChunk } from './chunk-rows.ts'
import {
  checkErrorsFile,
  type ErrorsFile,
  errorsNameOf,
  openErrorsFile,
  settleErrorsFile,
} from './errors-file.ts'
import { openSource } from './formats/csv-source.ts'
import { type Located, located, type ReadyFile } from './formats/file-kind.ts'
import { withSavedMaps } from './formats/format-flags.ts'
import { readImport } from './formats/import-file.ts'
import { type ChunkedKind, fulfillmentsFile, noDay } from './import-kind.ts'
import { defineImport, defineOrders, type ImportOptions } from './import-options.ts'
import { type ImportTotals, importView, reportDryRun, reportImport } from './import-report.ts'
import { type FilePlan, planFile, shownMax } from './plan-file.ts'
import { repeatsOf } from './repeats.ts'
import {
  areSkipped,
  equalOrders,
  goodRows,
  orderHeld,
  type Sending,
  type SentChunk,
  sendChunk,
} from './send-chunk.ts'

/** Errors in the JSON result; the errors file has all. */
const errorsMax = 1000

const interruptedAdvice = 'run the same command again to send the rest; nothing is sent twice'

type Planned = ReadyFile<ChunkedKind> & Pick<Sending, 'header' | 'useLint' | 'plan'>

/** Checks the whole file, then sends it in chunks. The same command again resumes. */
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
    const plan = await planOf(session, ready, options)
    return { ...ready, header: plan.header, useLint: options.lint !== false, plan }
  })
  try {
    if (options.shipStatus !== undefined && !planned.isShop)
      throw usage(`--ship-status is for a shop's export: ${given.name} has no statuses that custody knows.`)
    return await (options.dryRun ? tryOut(session, planned, options) : sendFile(session, planned, options))
  } finally {
    planned.source.dispose()
  }
}

async function planOf(
  session: Session,
  file: ReadyFile<ChunkedKind>,
  { shipBy = file.isShop ? 'order' : 'row', combine = false, dryRun, lint }: ImportOptions,
): Promise<FilePlan> {
  const progress = createProgress(session.io, 'checking')
  let done = 0
  try {
    return await planFile(file.source.pieces(), {
      ...file,
      today: dryRun ? todayOf(session) : noDay,
      useLint: lint !== false,
      groups: isOrders(file.kind) && shipBy === 'order',
      combine,
      onProgress: (bytes) => {
        done += bytes
        return progress.update(done, file.source.bytes, 'bytes')
      },
    })
  } finally {
    progress.end()
  }
}

function todayOf({ io }: Session): string {
  return new Date(io.now()).toISOString().slice(0, 10)
}

async function tryOut(session: Session, planned: Planned, { offline }: ImportOptions): Promise<Outcome> {
  const { source, plan, kind } = planned
  const { orders, rows, bad, combined } = plan
  const today = todayOf(session)
  function* good() {
    for (const chunk of plan.chunks) yield goodRows(planned, rowsOfChunk(planned, chunk), today).good
  }
  const asked =
    isOrders(kind) && !offline ? await atTarget(session, planned, today) : { faults: [], failed: 0 }
  const parcels = (orders ?? rows - bad - combined.size) - asked.failed
  if (isOrders(kind)) {
    const of = orders === undefined ? '' : ` of ${counted(orders, 'order')}`
    session.notice(`${counted(rows, 'row')}${of}: ${counted(parcels, 'parcel')}.`)
  }
  const firstBad = [...plan.firstBad, ...asked.faults].sort((a, b) => a.row - b.row).slice(0, shownMax)
  const found = {
    ...{ ...plan, bad: bad + asked.faults.length, firstBad, sent: rows - bad },
    ...(isOrders(kind) && { parcels }),
  }
  const outcome = await reportDryRun(session, { name: source.name, kind }, found, good)
  if (orders !== undefined && session.options.output === 'csv')
    session.notice('To import this list, add --ship-by order.')
  return outcome
}

/** Finds the errors that the target would report, as far as possible without sending. */
async function atTarget(
  session: Session,
  planned: Planned,
  today: string,
): Promise<{ faults: Located<CsvRowError>[]; failed: number }> {
  const { plan, places } = planned
  const { faultsAtTarget } = await import('./try-orders.ts')
  const rows = plan.chunks.flatMap((chunk) => {
    const { good, accepted } = goodRows(planned, rowsOfChunk(planned, chunk), today)
    const isGood = new Set(good.map(({ row }) => row))
    return accepted
      .filter(({ row }) => isGood.has(row))
      .map(({ row, value }) => {
        const { items, external_ref } = value as FulfillmentRow
        const more = plan.added.get(row) ?? 0
        return {
          row,
          external_ref,
          items: 'sku' in items ? { ...items, quantity: items.quantity + more } : items,
        }
      })
  })
  const found = await askTarget(session, (client) => faultsAtTarget(client, rows, plan.orders !== undefined))
  if (found === undefined) return { faults: [], failed: 0 }
  if (found.ordered > 0)
    session.notice(`${counted(found.ordered, 'row has', 'rows have')} a reference that was ordered before.`)
  return { faults: found.faults.map((fault) => located(fault, places)), failed: found.failed }
}

async function sendFile(session: Session, planned: Planned, options: ImportOptions): Promise<Outcome> {
  const { plan, kind, source } = planned
  checkErrorsFile(session.io.cwd, options.errors)
  const target = await session.targetToWrite()
  const sending: Sending = {
    ...planned,
    client: target.client,
    repeats: await repeatsOf(session, target, options, isOrders(kind)),
    equals: equalOrders(session, options),
    sums: new Map(),
    stop: session.io.stopSignal(),
  }
  const wanted = options.errors ?? errorsNameOf(source.name)
  const errors = openErrorsFile(session, wanted, planned)
  const totals: ImportTotals = { created: 0, orders: 0, same: 0, failed: 0, sent: 0, errors: [] }
  const done = (): number => totals.created + totals.same + totals.failed
  const resumeAdvice = (): string => {
    const [some, all] = [done(), plan.rows].map((count) => count.toLocaleString('en'))
    const advice = options.again ? '--again would send them again' : interruptedAdvice
    return `${some} of ${all} rows are done; ${advice}.`
  }
  try {
    await sendChunks(session, sending, totals, errors)
  } catch (error) {
    const { stop } = sending
    if (stop.aborted && (error === stop.reason || (error as Error).name === 'AbortError')) {
      session.notice(`Interrupted. ${resumeAdvice()}`)
      return 'interrupted'
    }
    if (done() > 0) session.notice(resumeAdvice())
    const advice = options.again ? 'check with ls before you repeat it' : interruptedAdvice
    throw advisedInDoubt(error, `${maybeDone}: ${advice}.`)
  }
  return reportImport(session, { plan, kind }, totals, settleErrorsFile(session, wanted, errors))
}

async function sendChunks(
  session: Session,
  sending: Sending,
  totals: ImportTotals,
  errors: ErrorsFile,
): Promise<void> {
  const { plan, stop, equals } = sending
  const send = plan.orders === undefined ? sendChunk : (await import('./ship-orders.ts')).sendOrders
  const progress = createProgress(session.io, 'sending')
  const add = ({ failed, ...counts }: SentChunk): void => {
    errors.write(failed)
    totals.failed += failed.length
    for (const name of ['created', 'orders', 'same', 'sent'] as const) totals[name] += counts[name]
    const shown = failed.slice(0, errorsMax - totals.errors.length)
    totals.errors.push(...shown.map(({ values: _, ...error }) => error))
  }
  try {
    for (const chunk of plan.chunks) {
      stop.throwIfAborted()
      await progress.update(chunk.firstRow - 1, plan.rows, 'rows')
      add(await send(sending, chunk))
      await giveMemoryBack()
    }
  } finally {
    progress.end()
  }
  if (equals.held.length === 0) return
  const held = new Set(equals.held.map(({ row }) => row))
  const isSkipped = await areSkipped(session, equals.held)
  totals[isSkipped ? 'same' : 'created'] += [...plan.combined.values()].filter((row) => held.has(row)).length
  if (isSkipped) totals.same += held.size
  else
    for (const chunk of plan.chunks)
      if (equals.held.some(({ row }) => row >= chunk.firstRow && row < chunk.firstRow + chunk.rows))
        add(await orderHeld(sending, chunk))
}
