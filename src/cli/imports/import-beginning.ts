import { dirname, resolve } from 'node:path'
import type { Session } from '../command.ts'
import { earlierImport, isReplayedStill, knownChunks } from './earlier-import.ts'
import { errorsNameOf, freeName, isKept } from './errors-file.ts'
import { importKey } from './import-key.ts'
import type { ImportOptions } from './import-options.ts'
import type { ImportTotals } from './import-report.ts'
import { type Journal, type JournalChunk, type JournalHead, startJournal } from './journal.ts'
import { type JournalNotes, notesInJournal, notesOverJournal } from './journal-notes.ts'
import { type Keeping, keepLonger, keptFile, unkept } from './kept-file.ts'
import type { Sending } from './send-chunk.ts'

export type ChunkedImportOptions = ImportOptions & { resume?: boolean }

/** Where an import begins: the first chunk to send, counted from 0, and what the ones before it gave. */
export type Beginning = {
  key: string
  from: number
  /** As the operator knows it. */
  wantedErrorsFile: string
  /** Another where that one is there already; and how much of it stays. */
  errorsFile: string
  errorsBytes: number
  totals: ImportTotals
  notes: JournalNotes
  /** All was sent by an earlier run, which ended then. */
  endedAt?: string
}

/**
 * A new import, or where the one goes on that the journal tells of. The same bytes once more are sent only as long as
 * the target surely answers them from its stored results.
 */
export async function beginningOf(
  session: Session,
  sending: Sending,
  keeping: Keeping,
  options: ChunkedImportOptions,
): Promise<Beginning> {
  const now = session.io.now()
  const path = keptFile(keeping)
  const earlier = await earlierImport(sending, keeping, options)
  const isReplay = earlier !== undefined && !options.resume && isWholeAndFresh(earlier, now)
  if (earlier !== undefined && !isReplay) {
    const known = await knownChunks(sending.client, sending.kind, earlier.chunks)
    const goneOn = goOn(session, sending, path, earlier, known)
    if (goneOn) return goneOn
  }
  if (options.resume) session.notice('There is nothing to go on with: beginning with the first row.')
  const key = earlier?.head.key ?? importKey(keeping.name, options)
  const wantedErrorsFile = options.errors ?? errorsNameOf(sending.source.name)
  const errorsFile = freeName(session.io.cwd, wantedErrorsFile)
  const head: JournalHead = {
    key,
    file: sending.source.name,
    rows: sending.plan.rows,
    errors_file: resolve(session.io.cwd, errorsFile),
    started_at: new Date(now).toISOString(),
  }
  if (!isReplay) begin(path, head)
  const { notice } = session
  const notes = isReplay ? notesOverJournal(path, head, earlier.chunks, notice) : notesInJournal(path, notice)
  return { key, from: 0, wantedErrorsFile, errorsFile, errorsBytes: 0, totals: totalsOf([]), notes }
}

function isWholeAndFresh({ isDone, chunks }: Journal, now: number): boolean {
  return isDone && chunks.every(({ sent, at }) => sent === 0 || isReplayedStill(at, now))
}

/** Undefined where the journal has no chunk that the target knows. */
function goOn(
  session: Session,
  { plan }: Sending,
  path: string,
  earlier: Journal,
  known: number,
): Beginning | undefined {
  const { head } = earlier
  const chunks = earlier.chunks.slice(0, known)
  const last = chunks.at(-1)
  const chunk = plan.chunks[known - 1]
  if (last === undefined || chunk === undefined) return undefined
  const isWhole = known === earlier.chunks.length && (earlier.isDone || known >= plan.chunks.length)
  if (isWhole) return endedBefore(session, path, earlier)
  const isErrorsFileKept = isKept(head.errors_file, last.errors_bytes)
  const errorsFile = isErrorsFileKept ? head.errors_file : freeName(session.io.cwd, head.errors_file)
  begin(path, { ...head, errors_file: errorsFile }, chunks)
  const row = (chunk.firstRow + chunk.rows - 1).toLocaleString('en')
  session.notice(`Going on after row ${row} of ${plan.rows.toLocaleString('en')}.`)
  return {
    key: head.key,
    from: known,
    wantedErrorsFile: errorsFile,
    errorsFile,
    errorsBytes: isErrorsFileKept ? last.errors_bytes : 0,
    totals: totalsOf(chunks),
    notes: notesInJournal(path, session.notice),
  }
}

/** Before anything is sent: its key may be known nowhere else. */
function begin(path: string, head: JournalHead, chunks: readonly JournalChunk[] = []): void {
  try {
    startJournal(path, head, chunks)
  } catch (error) {
    throw unkept(dirname(path), error)
  }
}

function endedBefore(
  { io, notice }: Session,
  path: string,
  { head, chunks, isDone, endedAt, errorsFile }: Journal,
): Beginning {
  const now = io.now()
  const notes = notesInJournal(path, notice)
  if (isDone) keepLonger(path, now)
  else notes.end(now, undefined)
  const file = errorsFile ?? head.errors_file
  return {
    key: head.key,
    from: chunks.length,
    wantedErrorsFile: file,
    errorsFile: file,
    errorsBytes: chunks.at(-1)?.errors_bytes ?? 0,
    totals: totalsOf(chunks),
    notes,
    endedAt: endedAt ?? head.started_at,
  }
}

function totalsOf(chunks: readonly JournalChunk[]): ImportTotals {
  const totals: ImportTotals = {
    created: 0,
    same: 0,
    failed: 0,
    sent: 0,
    replayed: 0,
    sentNewly: 0,
    errors: [],
  }
  for (const { created, same = 0, failed, sent } of chunks) {
    totals.created += created
    totals.same += same
    totals.failed += failed
    totals.sent += sent
  }
  return totals
}
