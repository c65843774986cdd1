import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Where an import is remembered: a name in a folder, and with which key of a service it was sent. */
export type Keeping = { folder: string; name: string; ending: string; keyMark: string | undefined }

/**
 * The file that remembers an import. A service knows partners by their keys: each key has a file of its own, so that
 * partners who take turns with the same bytes leave each other's alone.
 */
export function keptFile({ folder, name, ending, keyMark }: Keeping): string {
  return join(folder, `${name}${keyMark === undefined ? '' : `-${keyMark}`}${ending}`)
}

type Reading<T> = {
  /** Undefined where there is nothing that can be read, or that is looked for. */
  read: (path: string) => T | undefined
  startedAt: (record: T) => string
  /** Asks the target whether what another key has sent is there for this key as well. */
  isOurs: (record: T) => Promise<boolean>
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
    renameSync(path, own)
    return record
  }
  return undefined
}

/** What an embedded database holds is one partner's: nobody else is looked for. */
function keptByOthers({ folder, name, ending, keyMark }: Keeping, own: string): string[] {
  if (keyMark === undefined) return []
  return namesIn(folder)
    .filter((other) => other.startsWith(name) && other.endsWith(ending))
    .map((other) => join(folder, other))
    .filter((path) => path !== own)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
