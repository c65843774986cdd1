import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { timeProcess } from './whole-process.ts'

/** The settings of a custody database (store/sqlite/sqlite-file.ts) that affect the speed of writing rows. */
export const pragmas = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  'pragma cache_size = -65536',
  'pragma temp_store = memory',
  'pragma wal_autocheckpoint = 8000',
]
const columns = 'scope_id, id, sku, doc'

export function hasSqliteShell(): boolean {
  return spawnSync('sqlite3', ['--version']).status === 0
}

/** Writes the products of a custody database as rows of their table. */
export async function exportProducts(database: string, file: string): Promise<void> {
  const db = new DatabaseSync(database, { readOnly: true })
  const rows = db.prepare(`select ${columns} from products order by id`).iterate()
  await pipeline(rows, stringify({ quoted: true }), createWriteStream(file))
  db.close()
}

/** An empty database with the table of products and its indexes as in `like`. */
export function makeProductTable(like: string, database: string): void {
  const source = new DatabaseSync(like, { readOnly: true })
  const statements = source
    .prepare(
      `select sql from sqlite_master where tbl_name = 'products' and sql is not null order by type desc`,
    )
    .all()
  source.close()
  const db = new DatabaseSync(database)
  db.exec('pragma journal_mode = wal')
  for (const { sql } of statements) db.exec(String(sql))
  db.close()
}

/** Milliseconds of the sqlite3 shell's process that imports the rows. */
export function timeShellImport(database: string, rows: string): number {
  return timeProcess('sqlite3', [database, ...pragmas, `.import --csv ${rows} products`])
}

/** The same without the shell: milliseconds of a bare loop over the rows in one transaction, including reading them. */
export function timeBareLoop(like: string, database: string): number {
  const started = performance.now()
  const source = new DatabaseSync(like, { readOnly: true })
  const db = new DatabaseSync(database)
  for (const pragma of pragmas) db.exec(pragma)
  const insert = db.prepare(`insert into products (${columns}) values (?, ?, ?, ?)`)
  db.exec('begin immediate')
  for (const row of source.prepare(`select ${columns} from products order by id`).iterate()) {
    insert.run(...(Object.values(row) as [number, string, string, string]))
  }
  db.exec('commit')
  db.close()
  source.close()
  return performance.now() - started
}
