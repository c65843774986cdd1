import { createHash } from 'node:crypto'
import { runtime } from '../../runtime/runtime.ts'
import { beforeAnyChange, usage } from '../base/cli-error.ts'
import { counted, digits } from '../base/counted.ts'
import { failureOf } from '../base/failure.ts'
import { giveMemoryBack } from '../base/memory.ts'
import { quoted } from '../base/shell-word.ts'
import type { CommandFile, Outcome, Session, Words } from '../command.ts'
import { advisedInDoubt, maybeDone } from '../connection/unknown-outcome.ts'
import { type CsvSource, openSource, withProgress } from '../files/csv-source.ts'
import type { ReadyFile } from '../files/file-kind.ts'
import { withSavedMaps } from '../files/format-flags.ts'
import { readImport } from '../files/import-file.ts'
import { createProgress } from '../output/progress.ts'
import { encodeRows, rowsOfChunk } from './chunk-rows.ts'
import { checkErrorsFile, type ErrorsFile, errorsNameOf, openErrorsFile } from './errors-file.ts'
import { type ChunkedKind, fulfillmentsFile } from './import-kind.ts'
import { defineImport, defineOrders, type ImportOptions } from './import-options.ts'
import { type ImportTotals, importView, reportDryRun, reportImport } from './import-report.ts'
import { errorsMax, planFile } from './plan-file.ts'
import { repeatsOf } from './repeats.ts'
import {
  equalOrders,
  goodRows,
  orderHeld,
  type Planned,
  type Sending,
  type SentChunk,
  sendChunk,
} from './send-chunk.ts'

function interruptedAdvice({ ifEqual }: ImportOptions): string {
  // The equal rows of another file are other orders.
  const file = ifEqual === 'order' ? ', with the unchanged file,' : ''
  return `run the same command again${file} to send the rest; nothing is sent twice`
}

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
  if (options.offline && !options.dryRun)
    throw usage(
      '--offline checks a file without the target, so it cannot order.',
      'Add --dry-run, or leave out --offline.',
    )
  const given = await openSource(session.io, file)
  const fileHash = isOrders(kind) && !options.dryRun ? await hashOf(given, options) : undefined
  const read = (ready: ReadyFile<ChunkedKind>) => planOf(session, ready, options)
  const planned = await readImport(session, kind, given, options, read)
  try {
    if (options.shipStatus !== undefined && !planned.isShop)
      throw usage(`--ship-status is for a shop's export: ${given.name} has no statuses that custody knows.`)
    return await (options.dryRun
      ? tryOut(session, planned, options)
      : sendFile(session, planned, options, fileHash))
  } finally {
    planned.source.dispose()
  }
}

async function hashOf(source: CsvSource, { sheet = '' }: ImportOptions): Promise<string> {
  const hash = createHash('sha256').update(sheet)
  for await (const piece of source.pieces()) hash.update(piece)
  return hash.digest('hex')
}

async function planOf(
  session: Session,
  file: ReadyFile<ChunkedKind>,
  { shipBy = file.isShop ? 'order' : 'row', combine = false, lint = true }: ImportOptions,
): Promise<Planned> {
  const groups = isOrders(file.kind) && shipBy === 'order'
  session.io.stopSignal()
  const pieces = withProgress(session.io, 'checking', file.source, file.source.pieces())
  return { ...file, ...(await planFile(pieces, { ...file, useLint: lint, groups, combine })) }
}

async function tryOut(session: Session, planned: Planned, options: ImportOptions): Promise<Outcome> {
  const { source, chunks, kind } = planned
  function* good() {
    for (const chunk of chunks) yield goodRows(planned, rowsOfChunk(planned, chunk)).good
  }
  const { tryTarget } = await import('./try-orders.ts')
  // The target is not asked about products.
  const offline = options.offline || !isOrders(kind)
  const target = await tryTarget(session, planned, { ...options, offline })
  const sending = sendingOf(session, planned, options, target)
  if (!isOrders(kind)) sending.send = allGood
  const { held } = sending.equals
  sending.equals.areSkipped = async () => {
    const equal = counted(held.size, 'row equals an earlier order', 'rows equal earlier orders')
    session.notice(`${equal}: the import will ask.`)
    return true
  }
  const totals = await sendChunks(session, sending, { name: 'checking', write: () => {} })
  if (isOrders(kind) && planned.rows > 0) noticeParcels(session, planned, totals, totals.same - held.size)
  const { failed: bad, errors, sent, orders: parcels } = totals
  const found = { ...planned, bad, errors, sent, ...(isOrders(kind) && { parcels }) }
  const outcome = await reportDryRun(session, { name: source.name, kind }, found, good)
  if (planned.groups && session.options.output === 'csv')
    session.notice('To import this list, add --ship-by order.')
  return outcome
}

function noticeParcels(
  session: Session,
  { groups }: Planned,
  { created, orders }: ImportTotals,
  before: number,
): void {
  const of = groups ? ` of ${counted(orders, 'order')}` : ''
  const parcels = `${counted(created, 'row')}${of} in ${counted(orders, 'parcel')}`
  session.notice(`The import would order ${created === 0 ? 'nothing' : parcels}.`)
  if (before > 0) session.notice(`${counted(before, 'row was', 'rows were')} ordered before.`)
}

const allGood: Sending['send'] = async (_, _how, created) => ({
  data: { created: [], errors: [], totals: { created, failed: 0, submitted: created } },
  text: '',
  status: 200,
  headers: {},
})

function sendingOf(
  session: Session,
  planned: Planned,
  options: ImportOptions,
  { client, repeats }: Pick<Sending, 'client' | 'repeats'>,
): Sending {
  const { kind, header } = planned
  return {
    ...planned,
    client,
    repeats,
    operation: kind.name,
    encode: (rows) => encodeRows(kind, header, rows),
    send: (file, how) => kind.send(client, file, how),
    equals: equalOrders(session, options),
    apart: new Set(),
    stop: session.io.stopSignal(),
    settled: async () => {},
  }
}

async function sendFile(
  session: Session,
  planned: Planned,
  options: ImportOptions,
  fileHash: string | undefined,
): Promise<Outcome> {
  checkErrorsFile(session.io.cwd, options.errors)
  const target = await session.targetToWrite()
  const repeats = await repeatsOf(session, target, options, fileHash)
  const sending = sendingOf(session, planned, options, { client: target.client, repeats })
  const wanted = options.errors ?? errorsNameOf(planned.source.name)
  const errors = openErrorsFile(session, wanted, planned, options)
  const totals = noTotals()
  const done = (): number => totals.created + totals.same + totals.failed + totals.inChunk
  const resumeAdvice = (): string => {
    const [some, all] = [done(), planned.rows].map(digits)
    const advice = options.again ? '--again would send them again' : interruptedAdvice(options)
    return `${some} of ${all} rows are known to be done; ${advice}.`
  }
  try {
    await sendChunks(session, sending, { name: 'sending', write: errors.write }, totals)
  } catch (error) {
    if (failureOf(error).ending === 'interrupted') {
      session.notice(`Interrupted. ${resumeAdvice()}`)
      return 'interrupted'
    }
    if (done() > 0) session.notice(resumeAdvice())
    const advice = options.again ? 'check with ls before you repeat it' : interruptedAdvice(options)
    throw advisedInDoubt(error, `${maybeDone}: ${advice}.`)
  }
  const equal = sending.equals.failed
  return reportImport(session, planned, equal, totals, errors.settle())
}

function noTotals(): ImportTotals {
  return { created: 0, orders: 0, same: 0, resent: 0, failed: 0, sent: 0, inChunk: 0, errors: [] }
}

function noticeApart({ notice }: Session, apart: ReadonlySet<string>): void {
  if (apart.size === 0) return
  const orders = counted(apart.size, 'order was', 'orders were')
  const show = `custody fulfillments show ${[...apart].slice(0, 5).map(quoted).join(' ')}`
  notice(`${orders} ordered before in several parcels. See: ${show}`)
}

async function sendChunks(
  session: Session,
  sending: Sending,
  { name, write }: { name: 'sending' | 'checking'; write: ErrorsFile['write'] },
  totals = noTotals(),
): Promise<ImportTotals> {
  const { chunks, stop, equals } = sending
  const send = sending.groups ? (await import('./ship-orders.ts')).sendOrders : sendChunk
  const progress = createProgress(session.io, name)
  const add = ({ failed, ...counts }: SentChunk): void => {
    write(failed)
    totals.failed += failed.length
    totals.inChunk = 0
    for (const count of ['created', 'orders', 'same', 'resent', 'sent'] as const)
      totals[count] += counts[count]
    const shown = failed.slice(0, errorsMax - totals.errors.length)
    totals.errors.push(...shown.map(({ values: _, ...error }) => error))
  }
  try {
    for (const chunk of chunks) {
      // A signal is noticed only between turns of the event loop.
      await runtime.turn()
      if (stop.aborted) throw beforeAnyChange()
      sending.settled = (rows) => {
        totals.inChunk += rows
        return progress.update(chunk.firstRow - 1 + totals.inChunk, sending.rows, 'rows')
      }
      await sending.settled(0)
      add(await send(sending, chunk))
      await giveMemoryBack()
    }
  } finally {
    progress.end()
  }
  noticeApart(session, sending.apart)
  if (equals.held.size === 0) return totals
  if (await equals.areSkipped()) totals.same += equals.held.size
  else for (const chunk of chunks) add(await orderHeld(sending, chunk))
  return totals
}
