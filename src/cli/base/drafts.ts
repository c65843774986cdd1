import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runtime } from '../../runtime/runtime.ts'

/** The kinds of drafts, by what they become: a small file, a database, a backup. */
type DraftEnding = 'tmp' | 'new' | 'part'

/** Files that SQLite makes beside a database. */
const besideDatabase = ['-wal', '-shm', '-journal'] as const

/** A draft whose process is unknown is judged by its age. */
const strangersKeptMs = 86_400_000

const draftName =
  /\.(?:(?<machine>[0-9a-f]{8})-(?<pid>\d+)-(?<start>\d+)|\d+)\.(?:tmp|new|part)(?:-wal|-shm|-journal)?$/

/**
 * The name under which a file is written before it is moved into place: beside it, with the process in the name. Drafts that
 * killed processes have left in the folder are removed first.
 */
export function draftOf(path: string, ending: DraftEnding): string {
  const draft = `${path}.${machineMark()}-${process.pid}-${startOf('self')}.${ending}`
  sweepDrafts(dirname(path), basename(path))
  // An existing one of this process is a leftover too, or no draft at all.
  removeDraft(draft)
  return draft
}

/** Removes a draft, and files that SQLite may have made beside it. Throws nothing. */
export function removeDraft(draft: string): void {
  for (const end of ['', ...besideDatabase]) removeQuietly(`${draft}${end}`)
}

/**
 * Runs `task` with a draft that is always removed in the end: a signal that would end the process removes it first. For
 * drafts that take seconds.
 */
export async function withDraft<T>(
  path: string,
  ending: DraftEnding,
  task: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = draftOf(path, ending)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const onExit = (): void => removeDraft(draft)
  const onSignal = (signal: NodeJS.Signals): void => {
    // If anybody else listens, they decide what the signal does.
    if (process.listenerCount(signal) > 1) return
    removeDraft(draft)
    process.removeListener(signal, onSignal)
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  process.on('exit', onExit)
  try {
    return await task(draft)
  } finally {
    for (const signal of signals) process.removeListener(signal, onSignal)
    process.removeListener('exit', onExit)
    removeDraft(draft)
  }
}

/** `base`: only its own drafts are known where an older custody named them. */
function sweepDrafts(folder: string, base: string): void {
  for (const name of namesIn(folder)) {
    const found = draftName.exec(name)
    if (found === null) continue
    const { machine, pid, start } = found.groups ?? {}
    if (machine === undefined && name.slice(0, found.index) !== base) continue
    const path = join(folder, name)
    const isTold = machine === machineMark() && start !== '0'
    if (isTold ? startOf(pid ?? '') !== start : isOlderThan(path, strangersKeptMs)) removeQuietly(path)
  }
}

/** Removes files of a folder that have not changed for so long. Throws nothing, since it is never what was asked for. */
export function removeOlder(
  folder: string,
  isOver: (path: string, ageMs: number) => boolean,
  now: number,
): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (isOver(path, now - changed)) removeQuietly(path)
  }
}

function isOlderThan(path: string, ms: number): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changed !== undefined && runtime.clock() - changed > ms
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}

/** The names in a folder; none if it is not there or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

let mark: string | undefined

/** The realm of a process number: this machine since its start, and in it this container. */
function machineMark(): string {
  mark ??= createHash('sha256').update(`${bootId()} ${pidNamespace()}`).digest('hex').slice(0, 8)
  return mark
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    return ''
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** When a process was started, in ticks since the machine was, because process numbers are reused. '0' if unknown. */
function startOf(pid: string): string {
  try {
    // The 22nd field, counted after the program's name, which may contain anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
  } catch {
    return '0'
  }
}
