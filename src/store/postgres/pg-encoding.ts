import { type Database, StoreError, sql } from '../database.ts'

/** Names come in every script, so only UTF-8 will do. Throws `StoreError` for another encoding. */
export async function rejectOtherEncodings(db: Database): Promise<void> {
  const row = await db.read((tx) =>
    tx.get<{ encoding: string }>(sql`select current_setting('server_encoding') as encoding`),
  )
  if (row?.encoding === 'UTF8') return
  throw new StoreError(
    'refused',
    `The database stores text as ${row?.encoding}, but custody needs UTF8. Create one with: ` +
      `create database custody template template0 encoding 'UTF8'`,
  )
}
