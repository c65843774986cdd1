import { type Database, StoreError, sql, type Tx } from './database.ts'

/** The version `migrate.ts` upgrades to. Defined here, so that an up-to-date database loads no migration. */
export const schemaVersion = 21

/** 0 for an empty database. */
export async function readVersion(db: Database): Promise<number> {
  return db.read(async (tx) => ((await hasVersionTable(tx)) ? currentVersion(tx) : 0))
}

async function currentVersion(tx: Tx): Promise<number> {
  return tx.number(sql`select max(version) as version from schema_version`)
}

async function hasVersionTable(tx: Tx): Promise<boolean> {
  const query =
    tx.dialect === 'sqlite'
      ? sql`select 1 as found from sqlite_master where type = 'table' and name = 'schema_version'`
      : sql`select 1 as found where to_regclass('schema_version') is not null`
  return (await tx.get(query)) !== undefined
}

export function rejectNewer(found: number): void {
  if (found <= schemaVersion) return
  throw new StoreError(
    'newer_schema',
    `The database has schema version ${found}; this custody knows versions up to ${schemaVersion}. Install the newer custody.`,
  )
}
