import type { Database } from './database.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { SqliteOptions } from './sqlite/sqlite-file.ts'

/** Whether a database is named by address rather than by file. */
export function isAddress(place: string): boolean {
  return /^postgres(ql)?:\/\//i.test(place)
}

/** The database at a file's path, or at a `postgres://` address. Throws `StoreError` where it cannot be used. */
export async function openDatabase(place: string, options: SqliteOptions = {}): Promise<Database> {
  if (!isAddress(place)) return openSqlite(place, options)
  const { openPostgres } = await import('./postgres/pg.ts')
  return openPostgres(place)
}

/** A database's place as people may see it: without a password. */
export function placeShown(place: string): string {
  // To the last @: a password may hold one, or a slash, unencoded.
  return isAddress(place)
    ? place.replace(/^([^/]*\/\/).*@/, '$1').replace(/([?&]password=)[^&]*/i, '$1…')
    : place
}
