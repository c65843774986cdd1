import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parsedJson } from '../../../contract/call.ts'
import type { CsvRowError } from '../../../contract/resources/error.ts'
import { namesIn, removeOlder } from '../../base/drafts.ts'
import { appendToFile, makeFolder, moveFile, ownerOnly, replaceFile } from '../../base/durable-file.ts'
import type { Io } from '../../base/io.ts'
import { stateFolder } from '../../connection/target-settings.ts'
import type { Keeping } from './kept-file.ts'

/** What is recorded of an import: enough to continue after its last acknowledged chunk. */
export type JournalHead = {
  key: string
  file: string
  rows: number
  errors_file: string
  started_at: string
} & Partial<JournalOwner>

/** Whose import it was, and of what; older versions did not record it. */
export type JournalOwner = {
  target: string
  kind: string
  key_mark?: string | undefined
  /** Absolute; left out for a pipe. */
  path?: string | undefined
  sha256: string
}

/** One acknowledged chunk, counted from 1. */
export type JournalChunk = {
  chunk: number
  created: number
  failed: number
  sent: number
  /** Rows whose resource existed already; left out if there are none. */
  same?: number
  errors_bytes: number
  /** The marks of what its rows ordered, joined. */
  orders?: string
  /** References and ids of its orders, if the target does not list orders. */
  refs?: ReadonlyArray<readonly [ref: string, id: string]>
  /** The id of something that the chunk created, by which the target tells whether it still has it. */
  made?: string
  /** When it was carried out; left out if the service had the result already, since then the time is unknown. */
  at?: string
}

/** Rows of a chunk, counted from 1, that were ordered before the import began: found out once, since later its own are among them. */
export type KnownRows = {
  known: number
  /** Rows of the file that were ordered just so, as `1-3,7`. */
  same: string
  /** Rows whose reference was ordered with other content. */
  changed: CsvRowError[]
  /** The other rows may have a key of their own: they have references, by which the target was asked. */
  own_key: boolean
}

export type Journal = {
  readonly head: JournalHead
  readonly chunks: readonly JournalChunk[]
  readonly known: ReadonlyMap<number, KnownRows>
  readonly isDone: boolean
  /** It is not gone on with: what became of its last chunk was found out for another file. */
  readonly isGivenUp: boolean
  /** Undefined if it has not ended, or the journal does not say. */
  readonly endedAt?: string | undefined
  /** Where its failed rows are, if not where its head says. */
  readonly errorsFile?: string | undefined
}

/** The line that ends an import. */
type JournalEnd = { done: true; ended_at: string; errors_file?: string }

/** Noted before the fate of its last chunk is settled, whose key may be spent then. */
type JournalGivenUp = { given_up: true }

export type JournalNote = JournalChunk | JournalEnd | JournalGivenUp

type Line = Partial<JournalChunk & JournalEnd & KnownRows & JournalGivenUp>

const ending = '.jsonl'
/** Of orders that were sent and not answered, beside their journal (unanswered.ts). */
export const unansweredEnding = '.unanswered'
/** More bytes than a head has. */
const headBytes = 16 * 1024
const dayMs = 86_400_000
const unfinishedKeptDays = 30
/** A nightly job with an unchanged file must find it for as long as the job may be left running. */
const doneKeptDays = 400

export function importsFolder(env: Io['env']): string {
  return join(stateFolder(env), 'imports')
}

/** The journal file of an import, by its fingerprint. */
export function journalKeeping(env: Io['env'], fingerprint: string, keyMark: Keeping['keyMark']): Keeping {
  return { folder: importsFolder(env), name: fingerprint, ending, keyMark }
}

/** The journal of an earlier run; undefined where there is none that can be read. A line that was cut off counts for nothing. */
export function readJournal(path: string): Journal | undefined {
  let lines: unknown[]
  try {
    lines = readFileSync(path, 'utf8').split('\n').filter(Boolean).map(parsedJson)
  } catch {
    return undefined
  }
  const [head, ...rest] = lines as [JournalHead | undefined, ...Array<Line | undefined>]
  if (typeof head?.key !== 'string') return undefined
  const chunks: JournalChunk[] = []
  const known = new Map<number, KnownRows>()
  for (const line of rest) {
    if (line?.chunk === chunks.length + 1) chunks.push(line as JournalChunk)
    if (line?.known !== undefined) known.set(line.known, line as KnownRows)
  }
  const end = rest.find((line) => line?.done === true)
  return {
    head,
    chunks,
    known,
    isDone: end !== undefined,
    isGivenUp: rest.some((line) => line?.given_up === true),
    endedAt: end?.ended_at,
    errorsFile: end?.errors_file,
  }
}

/** The heads of all journals of a target and kind, the latest first. */
export function listJournals(
  folder: string,
  { target, kind }: Pick<JournalOwner, 'target' | 'kind'>,
): Array<{ path: string; head: JournalHead }> {
  const names = namesIn(folder).filter((name) => name.endsWith(ending))
  const found = names.flatMap((name) => {
    const path = join(folder, name)
    const head = readHead(path)
    return head?.target === target && head.kind === kind ? [{ path, head }] : []
  })
  return found.sort((a, b) => Date.parse(b.head.started_at) - Date.parse(a.head.started_at))
}

/** A journal may be megabytes. */
function readHead(path: string): JournalHead | undefined {
  try {
    const descriptor = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(headBytes)
      const [line = ''] = bytes.toString('utf8', 0, readSync(descriptor, bytes)).split('\n')
      return parsedJson(line) as JournalHead | undefined
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

/** Starts a new journal, with the chunks of an earlier one that still count. The key may be recorded nowhere else. */
export function startJournal(
  path: string,
  head: JournalHead,
  chunks: readonly JournalChunk[] = [],
  known: Journal['known'] = new Map(),
): void {
  makeFolder(dirname(path))
  dropOldJournals(dirname(path), Date.parse(head.started_at))
  if (chunks.length === 0) keepOrders(path)
  const lines = [head, ...known.values(), ...chunks]
  replaceFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), ownerOnly)
}

/** Keeps what an earlier import of the same bytes ordered, beside what this one will. */
function keepOrders(path: string): void {
  const earlier = readJournal(path)
  if (earlier?.chunks.some(({ orders }) => orders)) moveFile(path, asideOf(path, earlier))
}

/** What a journal is called when another import of the same bytes takes its name. */
export function asideOf(path: string, { head }: Pick<Journal, 'head'>): string {
  return join(dirname(path), `before-${head.started_at.replace(/\W/g, '')}-${basename(path)}`)
}

/** A job that imports a new file each night would leave one more journal each night. */
function dropOldJournals(folder: string, now: number): void {
  const isOver = (path: string, ageMs: number): boolean =>
    ageMs > doneKeptDays * dayMs || (ageMs > unfinishedKeptDays * dayMs && !isWorthKeeping(path))
  removeOlder(folder, isOver, now)
}

/** Nobody continues it any more, but its orders were made, or may have been. */
function isWorthKeeping(path: string): boolean {
  if (path.endsWith(unansweredEnding)) return true
  const journal = readJournal(path)
  return journal !== undefined && (journal.isDone || journal.chunks.some(({ orders }) => orders))
}

/** Records acknowledged chunks, or what ended it. A line break comes first, because an earlier run may have been cut off within a line. */
export function noteInJournal(path: string, ...lines: readonly JournalNote[]): void {
  appendToFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''))
}
