import { dirname, relative, resolve } from 'node:path'
import { CliError } from '../base/cli-error.ts'
import { noticedTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import { earlierImport } from './earlier-import.ts'
import { errorsNameOf, freeName, isKept } from './errors-file.ts'
import { importKey } from './import-key.ts'
import type { ImportOptions } from './import-options.ts'
import type { ImportTotals } from './import-report.ts'
import {
  asideOf,
  type Journal,
  type JournalChunk,
  type JournalHead,
  type JournalOwner,
  listJournals,
  readJournal,
  startJournal,
} from './journal/journal.ts'
import { type JournalNotes, notesInJournal, notesOverJournal } from './journal/journal-notes.ts'
import { type Keeping, keepLonger, keptFile, unkept } from './journal/kept-file.ts'
import { isAhead, isReplayedStill, knownChunks } from './journal/still-there.ts'
import { moveUnanswered, readUnanswered } from './journal/unanswered.ts'
import type { Sending } from './send-chunk.ts'

export type ChunkedImportOptions = ImportOptions & { resume?: boolean }

/** Where an import begins: the first chunk to send, counted from 0, and what the ones before it gave. */
export type Beginning = {
  head: JournalHead
  from: number
  /** Its name as the operator gave it. */
  wantedErrorsFile: string
  /** The name that is used, a free one; and how many of its bytes stay. */
  errorsFile: string
  errorsBytes: number
  totals: ImportTotals
  notes: JournalNotes
  /** Rows that were ordered before, by the number of their chunk. */
  known: Journal['known']
  /** When an earlier run sent everything and ended. */
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
  owner: JournalOwner,
  options: ChunkedImportOptions,
): Promise<Beginning> {
  const now = session.io.now()
  const path = keptFile(keeping)
  const earlier = await earlierImport(sending, keeping, options)
  const isReplay = earlier !== undefined && !options.resume && isWholeAndFresh(earlier, now)
  const isGivenUp = earlier !== undefined && isToBeGivenUp(sending, path, earlier, now)
  if (earlier !== undefined && !isReplay && !isGivenUp) {
    const { client, kind } = sending
    const known = await knownChunks((id) => kind.find(client, id), earlier.chunks)
    const goneOn = goOn(session, sending, path, earlier, known)
    if (goneOn) return goneOn
  }
  if (options.resume && earlier === undefined) refuseChanged(session, sending, keeping.folder, owner)
  if (options.resume) session.notice(isGivenUp ? comparedAnew : nothingToGoOnWith)
  const { cwd } = session.io
  const before = isReplay && earlier.errorsFile !== undefined ? nameIn(cwd, earlier.errorsFile) : undefined
  const wantedErrorsFile = options.errors ?? before ?? errorsNameOf(sending.source.name)
  const errorsFile = freeName(cwd, wantedErrorsFile)
  // A chunk of which no answer came may have been carried out: it is sent again just as it was.
  const isOnceMore = earlier?.chunks.length === 0 && !isReplay && !isGivenUp
  const { key, known } =
    isReplay || isOnceMore
      ? { key: earlier.head.key, known: earlier.known }
      : await begunAnew(session, sending, { keeping, owner, options, earlier, isGivenUp })
  const head: JournalHead = {
    key,
    file: sending.source.name,
    rows: sending.plan.rows,
    errors_file: resolve(cwd, errorsFile),
    started_at: isOnceMore ? earlier.head.started_at : new Date(now).toISOString(),
    ...owner,
  }
  // What nobody can tell of it is in doubt for others too, whatever this one notes.
  const doubt = isReplay ? undefined : readUnanswered(path)
  if (doubt && doubt.head.key !== key) moveUnanswered(path, asideOf(path, doubt))
  if (!isReplay) begin(path, head, [], known)
  const { notice } = session
  const notes = isReplay ? notesOverJournal(path, head, earlier.chunks, notice) : notesInJournal(path, notice)
  return {
    head,
    from: 0,
    wantedErrorsFile,
    errorsFile,
    errorsBytes: 0,
    totals: totalsOf([]),
    notes,
    known,
  }
}

/** A path as short as it can be typed there. */
function nameIn(cwd: string, path: string): string {
  const name = relative(cwd, path)
  return name.startsWith('..') ? path : name
}

type Anew = {
  keeping: Keeping
  owner: JournalOwner
  options: ChunkedImportOptions
  earlier: Journal | undefined
  isGivenUp: boolean
}

/** What was ordered before, and the key of what is not: the one of these bytes, unless that is spent. */
async function begunAnew(
  session: Session,
  sending: Sending,
  { keeping, owner, options, earlier, isGivenUp }: Anew,
): Promise<Pick<Journal, 'known'> & { key: string }> {
  const keyOfBytes = importKey(keeping.name, {})
  const isCompared = sending.kind.ordersIn !== undefined && !options.again
  if (!isCompared) return { key: earlier?.head.key ?? importKey(keeping.name, options), known: new Map() }
  const { settleUnanswered } = await import('./earlier/unanswered-orders.ts')
  const inDoubt = await settleUnanswered(session, sending, { folder: keeping.folder, owner })
  const { knownRows, unlessSentElsewhere } = await import('./known-rows.ts')
  const known = await knownRows(session, sending, { folder: keeping.folder, target: owner.target, inDoubt })
  // What became of its last chunk may have been found out just now.
  const isSpent = isGivenUp || readJournal(keptFile(keeping))?.isGivenUp === true
  const key = isSpent || !earlier ? importKey(keeping.name, { ...options, again: isSpent }) : earlier.head.key
  return { key, known: key === keyOfBytes ? await unlessSentElsewhere(sending, key, known) : known }
}

const nothingToGoOnWith = 'There is nothing to go on with: beginning with the first row.'
const comparedAnew = 'Since that import others may have ordered the same: every row is compared anew.'

/**
 * An import of orders that was cut off is not gone on with where what it has found out may not be true any more: another import
 * has begun since, or it was cut off so long ago that one may have elsewhere, and that the result of its last chunk may be forgotten.
 */
function isToBeGivenUp(
  { kind, plan }: Sending,
  path: string,
  { head, chunks, isDone, isGivenUp }: Journal,
  now: number,
): boolean {
  if (kind.ordersIn === undefined || isDone) return false
  if (isGivenUp) return true
  const { target = '', started_at } = head
  const isLeft = chunks.length < plan.chunks.length
  // What was sent and not answered was sent after that.
  if (isLeft && !isReplayedStill(chunks.at(-1)?.at ?? started_at, now)) return true
  const others = listJournals(dirname(path), { target, kind: kind.name })
  return others.some((other) => other.path !== path && other.head.started_at > started_at)
}

/** An import of other bytes under this name cannot be continued. Throws `invalid` if there is one. */
function refuseChanged(
  { io }: Session,
  { kind, source }: Sending,
  folder: string,
  owner: JournalOwner,
): void {
  const { path, sha256, key_mark } = owner
  const isOfFile = (head: JournalHead): boolean => head.path === path && head.key_mark === key_mark
  const before = listJournals(folder, owner).find(({ head }) => path !== undefined && isOfFile(head))
  if (before === undefined || before.head.sha256 === sha256) return
  const { started_at } = before.head
  const time = noticedTime(io, started_at)
  throw new CliError(
    'invalid',
    `${source.name} was changed since its import of ${time}: --resume goes on with the same bytes alone.`,
    {
      hint: `Without --resume ${kind.withoutResume}`,
    },
  )
}

function isWholeAndFresh({ isDone, chunks }: Journal, now: number): boolean {
  return isDone && chunks.every(({ sent, at }) => sent === 0 || isReplayedStill(at, now))
}

/** Undefined if the journal has no chunk that the target knows. */
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
  begin(path, { ...head, errors_file: errorsFile }, chunks, earlier.known)
  const row = (chunk.firstRow + chunk.rows - 1).toLocaleString('en')
  session.notice(`Going on after row ${row} of ${plan.rows.toLocaleString('en')}.`)
  return {
    head,
    from: known,
    wantedErrorsFile: errorsFile,
    errorsFile,
    errorsBytes: isErrorsFileKept ? last.errors_bytes : 0,
    totals: totalsOf(chunks),
    notes: notesInJournal(path, session.notice),
    known: earlier.known,
  }
}

/** Done before anything is sent, because its key may be recorded nowhere else. */
function begin(
  path: string,
  head: JournalHead,
  chunks: readonly JournalChunk[],
  known: Journal['known'],
): void {
  try {
    startJournal(path, head, chunks, known)
  } catch (error) {
    throw unkept(dirname(path), error)
  }
}

function endedBefore(
  { io, notice }: Session,
  path: string,
  { head, chunks, known, isDone, endedAt, errorsFile }: Journal,
): Beginning {
  const now = io.now()
  const notes = notesInJournal(path, notice)
  const isUndated = chunks.some(({ at }) => isAhead(at, now))
  if (isUndated)
    begin(
      path,
      head,
      chunks.map(({ at: _, ...chunk }) => chunk),
      known,
    )
  if (isDone && !isUndated) keepLonger(path, now)
  else notes.end(now, isDone ? errorsFile : undefined)
  const file = errorsFile ?? head.errors_file
  return {
    head,
    from: chunks.length,
    wantedErrorsFile: file,
    errorsFile: file,
    errorsBytes: chunks.at(-1)?.errors_bytes ?? 0,
    totals: totalsOf(chunks),
    notes,
    known,
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
