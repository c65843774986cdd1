import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../../base/cli-error.ts'
import { namesIn } from '../../base/drafts.ts'
import { makeFolder, moveFile } from '../../base/durable-file.ts'
import { faultText } from '../../base/system-fault.ts'

/** Where an import is recorded: a name in a folder, and the service's key that it was sent with. */
export type Keeping = { folder: string; name: string; ending: string; keyMark: string | undefined }

/**
 * The file that remembers an import. A service knows partners by their keys: each key has a file of its own, so that
 * partners who take turns with the same bytes leave each other's alone.
 */
export function keptFile({ folder, name, ending, keyMark }: Keeping): string {
  return join(folder, `${name}${keyMark === undefined ? '' : `-${keyMark}`}${ending}`)
}

/** Makes the folder before anything is sent that must be recorded there. Throws `unreachable` if it cannot. */
export function makeKeptFolder({ folder }: Keeping): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw unkept(folder, error)
  }
}

/** Nothing was sent yet, and what would be sent could not be recorded. */
export function unkept(folder: string, error: unknown): CliError {
  return new CliError('unreachable', `${folder} cannot be used: ${faultText(error)}. Nothing was sent.`, {
    hint: 'What is sent is remembered there, so that nothing is sent twice: name another folder with XDG_STATE_HOME.',
  })
}

/** Marks a file as used, so that it is kept longer. `now`: milliseconds of the clock. Throws nothing: reading goes on without it. */
export function keepLonger(path: string, now: number): void {
  try {
    utimesSync(path, now / 1000, now / 1000)
  } catch {}
}

type Reading<T> = {
  /** Undefined if it cannot be read, or is not what is looked for. */
  read: (path: string) => T | undefined
  startedAt: (record: T) => string
  /** Asks the target whether this key sees what another key has sent. */
  isOurs: (record: T) => Promise<boolean>
  /** What goes with the record, before it gets this key's name. */
  move?: (path: string, own: string) => void
}

/**
 * The latest that is remembered of this partner's import. Keys change: what was sent with another key, or before keys were
 * told apart, is this key's own from now on where the target shows what came of it; else it is another partner's and stays.
 */
export async function keptRecord<T>(keeping: Keeping, reading: Reading<T>): Promise<T | undefined> {
  const own = keptFile(keeping)
  const found = [own, ...keptByOthers(keeping, own)].flatMap((path) => {
    const record = reading.read(path)
    return record === undefined ? [] : [{ path, record, time: Date.parse(reading.startedAt(record)) || 0 }]
  })
  for (const { path, record } of found.sort((a, b) => b.time - a.time)) {
    if (path === own) return record
    if (!(await reading.isOurs(record))) continue
    reading.move?.(path, own)
    moveFile(path, own)
    return record
  }
  return undefined
}

/** An embedded database has one partner: no other keys are looked for. */
function keptByOthers({ folder, name, ending, keyMark }: Keeping, own: string): string[] {
  if (keyMark === undefined) return []
  return namesIn(folder)
    .filter((other) => other.startsWith(name) && other.endsWith(ending))
    .map((other) => join(folder, other))
    .filter((path) => path !== own)
}
