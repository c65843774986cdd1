import { resolve } from 'node:path'
import { giveMemoryBack } from '../base/memory.ts'
import type { CommandFile, Outcome, Session, Words } from '../command.ts'
import { isMismatch } from '../connection/refuse-mismatch.ts'
import { advisedInDoubt, perhapsDone } from '../connection/unknown-outcome.ts'
import { createProgress } from '../output/progress.ts'
import { checkErrorsFile, type ErrorsFile, openErrorsFile, settleErrorsFile } from './errors-file.ts'
import type { FilePlan } from './file-plan.ts'
import { openSource } from './formats/csv-source.ts'
import { readImport } from './formats/import-file.ts'
import { located } from './formats/located.ts'
import type { ReadyFile } from './formats/ready-file.ts'
import { withSavedMaps } from './formats/saved-map.ts'
import { type Beginning, beginningOf, type ChunkedImportOptions } from './import-beginning.ts'
import { chunkKey, fingerprintOf } from './import-key.ts'
import { type ChunkedKind, noDay } from './import-kind.ts'
import { defineImport, optionsFingerprint } from './import-options.ts'
import {
  doneRows,
  howToGoOn,
  type ImportTotals,
  importView,
  isNothingNew,
  repeated,
  reportDryRun,
  reportEarlier,
  reportImport,
  sentElsewhere,
} from './import-report.ts'
import { lockImport, lockOrders } from './journal/import-lock.ts'
import { type JournalOwner, journalKeeping } from './journal/journal.ts'
import { type Keeping, keptFile } from './journal/kept-file.ts'
import { planFile, shownMax } from './plan-file.ts'
import { type Sending, type SentChunk, sendChunk } from './send-chunk.ts'

/** How many errors the JSON result has; the errors file has all. */
const errorsMax = 1000

/** `products import` or `fulfillments import`: checks the file, then sends it in chunks that can be gone on with. */
export function importCommand(kind: ChunkedKind, words: Words): CommandFile<[string, ChunkedImportOptions]> {
  return {
    ...words,
    define: (command) =>
      defineImport(command.argument('<file>', 'a CSV or Excel (.xlsx) file, or - for stdin')).option(
        '--resume',
        'go on after the last row that was acknowledged',
      ),
    view: (_format, _file, options) => (options?.dryRun ? undefined : importView(kind)),
    writesCsv: true,
    run: (session, file, options) => runImport(session, kind, file, options),
  }
}

async function runImport(
  session: Session,
  kind: ChunkedKind,
  file: string,
  typed: ChunkedImportOptions,
): Promise<Outcome> {
  const options = withSavedMaps(session.io, typed)
  const given = await openSource(session.io, file)
  const { ready, plan } = await readImport(session, kind, given, options, async (ready) => {
    return { ready, plan: await planOf(session, ready, options) }
  })
  try {
    if (options.dryRun) return await tryOut(session, ready, plan, options)
    return await sendFile(session, ready, plan, options)
  } finally {
    ready.source.dispose()
  }
}

/** --dry-run: what sending would say, as far as it can be told without it. */
async function tryOut(
  session: Session,
  ready: ReadyFile<ChunkedKind>,
  plan: FilePlan,
  options: ChunkedImportOptions,
): Promise<Outcome> {
  const { kind, source, places } = ready
  const today = todayOf(session)
  const trial = { ...ready, plan, useLint: options.lint !== false }
  const printRows = (isKnown?: (row: number) => boolean) => async () =>
    (await import('./our-rows.ts')).printOurRows(session, trial, today, isKnown)
  if (!kind.isOrder || options.again) return reportDryRun(session, source.name, plan, undefined, printRows())
  const { knownOnTrial } = await import('./known-on-trial.ts')
  const known = await knownOnTrial(session, trial, today)
  const bad = plan.bad + known.changed.length
  const changed = known.changed.map((error) => located(error, places))
  const firstBad = [...plan.firstBad, ...changed].sort((a, b) => a.row - b.row).slice(0, shownMax)
  return reportDryRun(session, source.name, { ...plan, bad, firstBad }, known.same, printRows(known.isKnown))
}

/** A UTC date. */
function todayOf({ io }: Session): string {
  return new Date(io.now()).toISOString().slice(0, 10)
}

async function planOf(session: Session, file: ReadyFile, options: ChunkedImportOptions): Promise<FilePlan> {
  const progress = createProgress(session.io, 'checking')
  let done = 0
  try {
    return await planFile(file.source.pieces(), {
      ...file,
      today: options.dryRun ? todayOf(session) : noDay,
      useLint: options.lint !== false,
      findRepeats: options.dryRun === true,
      onProgress: (bytes) => {
        done += bytes
        return progress.update(done, file.source.bytes, 'bytes')
      },
    })
  } finally {
    progress.end()
  }
}

async function sendFile(
  session: Session,
  ready: ReadyFile<ChunkedKind>,
  plan: FilePlan,
  options: ChunkedImportOptions,
): Promise<Outcome> {
  checkErrorsFile(session.io.cwd, options.errors)
  const { client, identity, keyMark } = await session.targetToWrite()
  const sending = {
    ...ready,
    client,
    plan,
    useLint: options.lint !== false,
    compare: ready.kind.compare?.(client),
  }
  const fingerprint = fingerprintOf({
    target: identity,
    endpoint: ready.kind.name,
    sha256: plan.sha256,
    options: optionsFingerprint(options),
  })
  const keeping = journalKeeping(session.io.env, fingerprint, keyMark)
  // One for all keys: the journal of another may turn out to be this partner's.
  const unlock = lockImport(keptFile({ ...keeping, keyMark: undefined }), ready.source.name)
  let unlockOrders = (): void => {}
  try {
    if (ready.kind.isOrder) unlockOrders = await lockOrders(keeping.folder, identity, session.notice)
    const owner = {
      target: identity,
      kind: ready.kind.name,
      ...(keyMark !== undefined && { key_mark: keyMark }),
      ...(ready.source.path !== undefined && { path: ready.source.path }),
      sha256: plan.sha256,
    }
    return await sendLocked(session, sending, keeping, owner, options)
  } finally {
    unlockOrders()
    unlock()
  }
}

async function sendLocked(
  session: Session,
  sending: Sending,
  keeping: Keeping,
  owner: JournalOwner,
  options: ChunkedImportOptions,
): Promise<Outcome> {
  const { plan } = sending
  const beginning = await beginningOf(session, sending, keeping, owner, options)
  const { errorsFile, errorsBytes, totals, wantedErrorsFile, notes, endedAt } = beginning
  if (endedAt !== undefined) {
    const where = { file: sending.source.name, errorsFile, endedAt, isResumed: options.resume === true }
    return reportEarlier(session, sending, totals, where)
  }
  const errors = openErrorsFile(session, errorsFile, errorsBytes, { ...sending, header: plan.header })
  const unanswered = { rows: 0 }
  try {
    const keepsRefs = await mustKeepRefs(sending)
    const isWhole = await sendChunks(session, { ...sending, keepsRefs, unanswered }, beginning, errors)
    if (!isWhole) {
      session.notice(`Interrupted. ${howToGoOn(totals, unanswered.rows, plan, options)}`)
      return 'interrupted'
    }
  } catch (error) {
    if (isMismatch(error) && sending.kind.isOrder && options.idempotencyKey === undefined) {
      notes.giveUp()
      throw sentElsewhere(sending.source.name)
    }
    if (doneRows(totals) > 0) session.notice(howToGoOn(totals, unanswered.rows, plan, options))
    throw advisedInDoubt(error, `${perhapsDone}: ${repeated(options)} does nothing twice.`)
  }
  const settled = settleErrorsFile(session, wantedErrorsFile, errors, isNothingNew(totals))
  notes.end(session.io.now(), settled && resolve(session.io.cwd, settled))
  return reportImport(session, sending, totals, settled)
}

/** The journal keeps references where a later import cannot ask the target for them. */
async function mustKeepRefs({ client, kind, plan }: Sending): Promise<boolean> {
  if (kind.ordersIn === undefined || !plan.header.includes('external_ref')) return false
  const { listsOrders } = await import('./earlier/orders-by-reference.ts')
  return !(await listsOrders(client))
}

/** One chunk after the other, each noted before the next is sent. False where it was interrupted between two. */
async function sendChunks(
  session: Session,
  sending: Sending,
  { from, totals, notes, known, head }: Beginning,
  errors: ErrorsFile,
): Promise<boolean> {
  const { chunks, rows } = sending.plan
  const progress = createProgress(session.io, 'sending')
  const stop = session.io.stopSignal()
  try {
    for (const [index, chunk] of chunks.entries()) {
      if (index < from) continue
      if (stop.aborted) return false
      await progress.update(chunk.firstRow - 1, rows, 'rows')
      const before = known.get(index + 1)
      const ownKey = chunkKey(head.key, index + 1, chunks.length, before)
      const keep = (upload: Uint8Array, key: string): (() => void) =>
        notes.sending({ head, chunk: index + 1, key, at: new Date(session.io.now()).toISOString(), upload })
      const result = await sendChunk({ ...sending, stop, keep }, chunk, ownKey, before)
      errors.write(result.failed)
      addUp(totals, result)
      const at = result.isReplay ? undefined : new Date(session.io.now()).toISOString()
      const line = { chunk: index + 1, ...countsOf(result), errors_bytes: errors.bytes() }
      notes.chunk({ ...line, ...(at && { at }) }, !result.isReplay && result.sent > 0)
      await giveMemoryBack()
    }
    return true
  } catch (error) {
    if (stop.aborted && (error === stop.reason || (error as Error).name === 'AbortError')) return false
    throw error
  } finally {
    progress.end()
  }
}

function addUp(totals: ImportTotals, { created, same, failed, sent, isReplay, errors }: SentChunk): void {
  totals.created += created
  totals.same += same
  totals.failed += failed.length
  totals.sent += sent
  totals.replayed += isReplay ? 1 : 0
  totals.sentNewly += isReplay ? 0 : sent
  totals.errors.push(...errors.slice(0, errorsMax - totals.errors.length))
}

function countsOf({ created, same, failed, sent, made, ordered }: SentChunk) {
  return {
    created,
    failed: failed.length,
    sent,
    ...(same > 0 && { same }),
    ...ordered,
    ...(made !== undefined && { made }),
  }
}
