import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dayMs } from '../../contract/limits.ts'
import { once } from '../../contract/once.ts'
import { sha256 } from '../../domain/computing.ts'
import { runtime } from '../../runtime/runtime.ts'
import { ifPossible } from './system-fault.ts'

const sqliteSuffixes = ['-wal', '-shm', '-journal'] as const

/** Age at which a draft is deleted if its process is unknown. */
const strangersKeptMs = dayMs

/** Some drafts of older versions end in `new` or `part`. */
const draftName =
  /\.(?<machine>[0-9a-f]{8})-(?<pid>\d+)-(?<start>\d+)\.(?:tmp|new|part)(?:-wal|-shm|-journal)?$/

/** Names a draft next to the file, with the process id. Deletes the drafts that killed processes left in the folder. */
export function draftOf(path: string): string {
  const draft = `${path}.${machineMark()}-${process.pid}-${startOf('self')}.tmp`
  sweepDrafts(dirname(path))
  // An existing file with this name is an earlier draft of this process, or not a draft at all.
  removeDraft(draft)
  return draft
}

export function naming(path: string, draft: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  error.message = error.message.replaceAll(draft, path)
  if ('path' in error && error.path === draft) error.path = path
  return error
}

/** Also removes the files that SQLite may have created next to the draft. Never throws. */
export function removeDraft(draft: string): void {
  for (const end of ['', ...sqliteSuffixes]) removeQuietly(`${draft}${end}`)
}

/** For drafts that take seconds: a signal that ends the process deletes the draft first. */
export async function withDraft<T>(path: string, task: (draft: string) => Promise<T>): Promise<T> {
  // The spinner uses this library too. Two handlers of different kinds would each leave ending the process to the other.
  const { onExit } = await import('signal-exit')
  const draft = draftOf(path)
  const forget = onExit(() => removeDraft(draft))
  try {
    return await task(draft)
  } catch (error) {
    throw naming(path, draft, error)
  } finally {
    forget()
    removeDraft(draft)
  }
}

function sweepDrafts(folder: string): void {
  for (const name of namesIn(folder)) {
    const { machine, pid, start } = draftName.exec(name)?.groups ?? {}
    if (machine === undefined) continue
    const path = join(folder, name)
    const isTold = machine === machineMark() && start !== '0'
    if (isTold ? startOf(pid ?? '') !== start : isOlderThan(path, strangersKeptMs, runtime.clock()))
      removeQuietly(path)
  }
}

/** Never throws, because the user did not ask for the cleanup. */
export function removeOlder(folder: string, ms: number, now: number): void {
  for (const path of namesIn(folder).map((name) => join(folder, name)))
    if (isOlderThan(path, ms, now)) removeQuietly(path)
}

function isOlderThan(path: string, ms: number, now: number): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changed !== undefined && now - changed > ms
}

function removeQuietly(path: string): void {
  ifPossible(() => rmSync(path, { force: true }))
}

export function namesIn(folder: string): string[] {
  return ifPossible(() => readdirSync(folder)) ?? []
}

/** Process ids are unique only within one container, and only until the machine restarts. */
const machineMark = once((): string => {
  const names = [
    ifPossible(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? '',
    ifPossible(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  ]
  return sha256(names.join(' ')).slice(0, 8)
})

/** In ticks since the machine started; tells reused process ids apart. '0' if unknown. */
function startOf(pid: string): string {
  const stat = ifPossible(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? ''
  // The 22nd field. Counts from the end of the program's name, which may contain blanks and parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
}
