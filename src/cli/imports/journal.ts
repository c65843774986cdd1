import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removeOlder } from '../base/drafts.ts'
import { appendToFile, makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import type { Io } from '../base/io.ts'
import { stateFolder } from '../connection/target-settings.ts'
import type { Keeping } from './kept-file.ts'

/** What is remembered of an import: enough to go on after its last acknowledged chunk. */
export type JournalHead = { key: string; file: string; rows: number; errors_file: string; started_at: string }

/** One acknowledged chunk, counted from 1. */
export type JournalChunk = {
  chunk: number
  created: number
  failed: number
  sent: number
  /** Rows whose resource was there already; left out where there was none. */
  same?: number
  errors_bytes: number
  /** The id of something that the chunk created, by which the target tells whether it still has it. */
  made?: string
  /** When it was carried out; left out where the service had its result already, nobody knows for how long. */
  at?: string
}

export type Journal = {
  readonly head: JournalHead
  readonly chunks: readonly JournalChunk[]
  readonly isDone: boolean
  /** Undefined where it has not ended, or the journal does not tell. */
  readonly endedAt?: string | undefined
  /** Where its failed rows are, if that is not what its head says. */
  readonly errorsFile?: string | undefined
}

/** The end of an import. */
export type JournalEnd = { done: true; ended_at: string; errors_file?: string }

type Line = Partial<JournalChunk> & Partial<JournalEnd>

const dayMs = 86_400_000
const unfinishedKeptDays = 30
/** A job that runs with an unchanged file every night must find it for as long as anybody may forget the job. */
const doneKeptDays = 400

/** Where the journal of an import stands; its fingerprint tells imports apart. */
export function journalKeeping(env: Io['env'], fingerprint: string, keyMark: Keeping['keyMark']): Keeping {
  return { folder: join(stateFolder(env), 'imports'), name: fingerprint, ending: '.jsonl', keyMark }
}

/** The journal of an earlier run; undefined where there is none that can be read. A line that was cut off counts for nothing. */
export function readJournal(path: string): Journal | undefined {
  let lines: unknown[]
  try {
    lines = readFileSync(path, 'utf8').split('\n').filter(Boolean).map(parseLine)
  } catch {
    return undefined
  }
  const [head, ...rest] = lines as [JournalHead | undefined, ...Array<Line | undefined>]
  if (typeof head?.key !== 'string') return undefined
  const chunks: JournalChunk[] = []
  for (const line of rest) if (line?.chunk === chunks.length + 1) chunks.push(line as JournalChunk)
  const end = rest.find((line) => line?.done === true)
  return { head, chunks, isDone: end !== undefined, endedAt: end?.ended_at, errorsFile: end?.errors_file }
}

/** Begins a journal anew, with the chunks of an earlier one that still count. The key may stand nowhere else. */
export function startJournal(path: string, head: JournalHead, chunks: readonly JournalChunk[] = []): void {
  makeFolder(dirname(path))
  dropOldJournals(dirname(path), Date.parse(head.started_at))
  replaceFile(path, [head, ...chunks].map((line) => `${JSON.stringify(line)}\n`).join(''), ownerOnly)
}

/** A job that imports another file each night would leave one journal more each night. */
function dropOldJournals(folder: string, now: number): void {
  const isOver = (path: string, ageMs: number): boolean =>
    ageMs > doneKeptDays * dayMs || (ageMs > unfinishedKeptDays * dayMs && !readJournal(path)?.isDone)
  removeOlder(folder, isOver, now)
}

/** Notes acknowledged chunks, or the end. A line break first: the run before may have been cut off in a line. */
export function noteInJournal(path: string, ...lines: ReadonlyArray<JournalChunk | JournalEnd>): void {
  appendToFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''))
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
