import { type Database, StoreError, sql } from './database.ts'

/** The version `migrate.ts` upgrades to. Defined here, so that an up-to-date database loads no migration. */
export const schemaVersion = 22

/** 0 for an empty database. Throws `StoreError` if it belongs to another program. */
export async function readVersion(db: Database): Promise<number> {
  return db.read(async (tx) => {
    const names = (await tx.all<{ name: string }>(tables[tx.dialect])).map(({ name }) => name)
    const [other] = names
    if (other === undefined) return 0
    if (names.includes('schema_version') && names.includes('scopes'))
      return tx.number(sql`select max(version) as version from schema_version`)
    throw new StoreError(
      'refused',
      `The table ${other} is not custody’s: give custody a database of its own.`,
    )
  })
}

/** A PostgreSQL schema may contain other programs' tables too, and many of them have a `schema_version`. */
const tables = {
  sqlite: sql`select name from sqlite_master where type in ('table', 'view') and name not glob 'sqlite_*'`,
  postgres: sql`
    select relname::text as name from pg_class
    where relname in ('schema_version', 'scopes') and pg_table_is_visible(oid)`,
}

export function rejectNewer(found: number): void {
  if (found <= schemaVersion) return
  throw new StoreError(
    'newer_schema',
    `The database has schema version ${found}, but this version of custody supports at most ${schemaVersion}. Install the newer version.`,
  )
}
