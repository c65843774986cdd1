import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** How long opening waits for other processes that open the file, in milliseconds. */
export const openingMs = 5000

/** The file as it is without its log. To close any other descriptor of it would release this process's locks on it. */
export function withoutLog(file: string): URL {
  return new URL(`${pathToFileURL(file)}?immutable=1`)
}

export function readOnce<T>(place: string | URL, read: (db: DatabaseSync) => T): T {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  const db = new sqlite.DatabaseSync(place, { timeout: openingMs, readOnly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}
