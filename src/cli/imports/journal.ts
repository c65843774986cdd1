import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
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
type JournalEnd = { done: true; ended_at: string; errors_file?: string }

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

/** Begins a journal anew, with the chunks of an earlier one that still count. */
export function startJournal(path: string, head: JournalHead, chunks: readonly JournalChunk[] = []): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  dropOldJournals(dirname(path), Date.parse(head.started_at))
  writeFileSync(path, [head, ...chunks].map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
}

/** Keeps a journal that is asked for from being dropped. `now`: milliseconds of the clock. */
export function keepJournal(path: string, now: number): void {
  utimesSync(path, now / 1000, now / 1000)
}

/** A job that imports another file each night would leave one journal more each night. */
function dropOldJournals(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
    const days = (now - changed) / dayMs
    if (days > doneKeptDays || (days > unfinishedKeptDays && !readJournal(path)?.isDone))
      rmSync(path, { force: true })
  }
}

/** Notes an acknowledged chunk, or the end. A line break first: the run before may have been cut off in a line. */
export function noteInJournal(path: string, line: JournalChunk | JournalEnd): void {
  appendFileSync(path, `\n${JSON.stringify(line)}\n`)
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
