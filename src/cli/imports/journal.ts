import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Io } from '../io.ts'
import { stateFolder } from '../target-settings.ts'

/** What is remembered of an import: enough to go on after its last acknowledged chunk. */
export type JournalHead = { key: string; file: string; rows: number; errors_file: string; started_at: string }

/** One acknowledged chunk, counted from 1. */
export type JournalChunk = {
  chunk: number
  created: number
  failed: number
  sent: number
  errors_bytes: number
}

export type Journal = {
  readonly head: JournalHead
  readonly chunks: readonly JournalChunk[]
  readonly isDone: boolean
}

const keptMs = 30 * 86_400_000

/** Where the journal of an import stands; its fingerprint tells imports apart. */
export function journalPath(env: Io['env'], fingerprint: string): string {
  return join(stateFolder(env), 'imports', `${fingerprint}.jsonl`)
}

/** The journal of an earlier run; undefined where there is none that can be read. A line that was cut off counts for nothing. */
export function readJournal(path: string): Journal | undefined {
  let lines: unknown[]
  try {
    lines = readFileSync(path, 'utf8').split('\n').filter(Boolean).map(parseLine)
  } catch {
    return undefined
  }
  const [head, ...rest] = lines as [
    JournalHead | undefined,
    ...Array<Partial<JournalChunk> & { done?: true }>,
  ]
  if (typeof head?.key !== 'string') return undefined
  const chunks: JournalChunk[] = []
  for (const line of rest) if (line?.chunk === chunks.length + 1) chunks.push(line as JournalChunk)
  return { head, chunks, isDone: rest.some((line) => line?.done === true) }
}

/** Begins a journal anew. */
export function startJournal(path: string, head: JournalHead): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  dropOldJournals(dirname(path), Date.parse(head.started_at))
  writeFileSync(path, `${JSON.stringify(head)}\n`, { mode: 0o600 })
}

/** A job that imports another file each night would leave one journal more each night. */
function dropOldJournals(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (now - changed > keptMs) rmSync(path, { force: true })
  }
}

/** Notes an acknowledged chunk, or the end. A line break first: the run before may have been cut off in a line. */
export function noteInJournal(path: string, line: JournalChunk | { done: true }): void {
  appendFileSync(path, `\n${JSON.stringify(line)}\n`)
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
