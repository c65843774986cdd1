import { isDatabaseAddress } from '../domain/database-address.ts'
import type { Database } from './database.ts'
import type { PgOptions } from './postgres/pg.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { SqliteOptions } from './sqlite/sqlite-file.ts'

/** Opens a file or a `postgres://` address. Throws `StoreError` if it cannot be used. */
export async function openDatabase(
  place: string,
  { onUnprepared, ...options }: SqliteOptions & Pick<PgOptions, 'onUnprepared'> = {},
): Promise<Database> {
  if (!isDatabaseAddress(place)) return openSqlite(place, options)
  const { openPostgres } = await import('./postgres/pg.ts')
  return openPostgres(place, { ...(onUnprepared && { onUnprepared }) })
}

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
