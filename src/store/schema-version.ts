import { type Database, StoreError, sql } from './database.ts'

/** The version `migrate.ts` upgrades to. Defined here, so that an up-to-date database loads no migration. */
export const schemaVersion = 21

/** 0 for an empty database. Throws `StoreError` if it belongs to another program. */
export async function readVersion(db: Database): Promise<number> {
  return db.read(async (tx) => {
    const { ours, foreign } = queries[tx.dialect]
    if (await tx.get(ours)) return tx.number(sql`select max(version) as version from schema_version`)
    const table = await tx.get<{ name: string }>(foreign)
    if (table === undefined) return 0
    throw new StoreError(
      'refused',
      `The database contains something that is not custody’s (table ${table.name}): give custody a database of its own.`,
    )
  })
}

/** Other programs name a table `schema_version` too. PostgreSQL may contain their other tables, a file may not. */
const queries = {
  sqlite: {
    ours: sql`select count(*) from sqlite_master where type = 'table' and name in ('schema_version', 'scopes') having count(*) = 2`,
    foreign: sql`select name from sqlite_master where type = 'table' limit 1`,
  },
  postgres: {
    ours: sql`select 1 where to_regclass('schema_version') is not null and to_regclass('scopes') is not null`,
    foreign: sql`select 'schema_version' as name where to_regclass('schema_version') is not null and to_regclass('scopes') is null`,
  },
}

export function rejectNewer(found: number): void {
  if (found <= schemaVersion) return
  throw new StoreError(
    'newer_schema',
    `The database has schema version ${found}; this custody knows versions up to ${schemaVersion}. Install the newer custody.`,
  )
}
