import { raw, StoreError, sql, type Tx } from '../database.ts'

/** Migration 13: `db check` verifies vocabularies, no CHECK does, so a new word needs no migration. Older processes can write. */
export const vocabularies = `
-- The constraints go by their names, see below.
`

const dropped: Readonly<Record<string, readonly string[]>> = {
  scopes: ['environment'],
  counts: ['kind'],
  manifests: ['status'],
  manifest_lines: ['match'],
  items: ['type', 'status', 'held'],
  fulfillments: ['status', 'interrupted_stage'],
  transfers: ['status'],
  events: ['type'],
  deliveries: ['status', 'event_type'],
}

/** Both databases change only the table's definition, so a million rows take no longer than none. */
export async function dropVocabularies(tx: Tx): Promise<void> {
  for (const [table, names] of Object.entries(dropped)) {
    for (const constraint of names.map((name) => `${table}_${name}`)) {
      if (tx.dialect === 'postgres')
        await tx.run(sql`alter table ${raw(table)} drop constraint if exists ${raw(constraint)}`)
      else if (await hasConstraint(tx, table, constraint)) await dropOnSqlite(tx, table, constraint)
    }
  }
}

async function hasConstraint(tx: Tx, table: string, constraint: string): Promise<boolean> {
  const [row] = await tx.all(sql`
    select 1 as found from sqlite_master
    where type = 'table' and name = ${table} and instr(sql, ${`constraint ${constraint} check`}) > 0`)
  return row !== undefined
}

/** SQLite has `drop constraint` since 3.53. A database created by this version has no such constraints. */
async function dropOnSqlite(tx: Tx, table: string, constraint: string): Promise<void> {
  const row = await tx.get<{ isNew: number }>(
    sql`select cast(substr(sqlite_version(), 3) as real) >= 53 as "isNew"`,
  )
  if (!row?.isNew) {
    throw new StoreError(
      'refused',
      'Migrating this database needs SQLite 3.53 or newer. Run custody under Node.js 24.21 or newer once.',
    )
  }
  await tx.run(sql`alter table ${raw(table)} drop constraint ${raw(constraint)}`)
}
