import { isDatabaseAddress } from '../domain/database-address.ts'
import type { Database } from './database.ts'
import type { PgOptions } from './postgres/pg.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { SqliteOptions } from './sqlite/sqlite-file.ts'

/** The database at a file's path, or at a `postgres://` address. Throws `StoreError` where it cannot be used. */
export async function openDatabase(
  place: string,
  { onUnprepared, ...options }: SqliteOptions & Pick<PgOptions, 'onUnprepared'> = {},
): Promise<Database> {
  if (!isDatabaseAddress(place)) return openSqlite(place, options)
  const { openPostgres } = await import('./postgres/pg.ts')
  return openPostgres(place, { ...(onUnprepared && { onUnprepared }) })
}

/** Runs a task on a database, and closes that. */
export async function usingDatabase<T>(
  place: string,
  options: SqliteOptions,
  task: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(place, options)
  try {
    return await task(db)
  } finally {
    await db.close()
  }
}
