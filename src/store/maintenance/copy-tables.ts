import { createHash } from 'node:crypto'
import type { SqlValue, Tx } from '../database.ts'
import { searchOf } from '../search-of.ts'
import { type Row, rowsOf, type ScopedTable } from './scoped-rows.ts'

/** Row count, and SHA-256 (hex) of all rows in key order; the same on both databases. */
export type Digest = { rows: number; sha256: string }

/** Copies one scope's rows of a table into another database. Returns the digest of the rows read. */
export async function copyTable(
  from: { tx: Tx; scopeId: number },
  to: { tx: Tx; scopeId: number },
  table: ScopedTable,
): Promise<Digest> {
  const digest = createDigest()
  let gathered: Row[] = []
  for await (const row of keptRows(from.tx, from.scopeId, table)) {
    digest.add(row)
    gathered.push(row)
    if (gathered.length === rowsAtOnce(table)) {
      await insertRows(to.tx, to.scopeId, table, gathered)
      gathered = []
    }
  }
  await insertRows(to.tx, to.scopeId, table, gathered)
  return digest.end()
}

/** Leaves out the API keys in `keysBefore`, by id. */
export async function digestTable(
  tx: Tx,
  scopeId: number,
  table: ScopedTable,
  keysBefore: ReadonlySet<string>,
): Promise<Digest> {
  const digest = createDigest()
  for await (const row of keptRows(tx, scopeId, table)) {
    if (table !== 'api_keys' || !keysBefore.has(String(row.id))) digest.add(row)
  }
  return digest.end()
}

/** Without leases: they belong to a process, which is not copied. */
async function* keptRows(tx: Tx, scopeId: number, table: ScopedTable): AsyncGenerator<Row> {
  for await (const { scope_id: _, ...row } of rowsOf(tx, scopeId, table, { rowsAtOnce: rowsAtOnce(table) })) {
    yield 'lease_owner' in row ? { ...row, lease_owner: null, lease_until: null } : row
  }
}

/** A stored result of an import can take megabytes, so only a few at once. */
function rowsAtOnce(table: ScopedTable): number {
  return table === 'idempotency' ? 5 : 1000
}

async function insertRows(tx: Tx, scopeId: number, table: ScopedTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const values = rows.map((row): SqlValue[] => [scopeId, ...columns.map((column) => row[column] ?? null)])
  await tx.insert(table, ['scope_id', ...columns], values)
  if (table !== 'items') return
  const texts = rows.map((row) => ({ item_no: Number(row.item_no), text: String(row.search_text) }))
  await searchOf(tx).insert(tx, scopeId, texts)
}

function createDigest(): { add(row: Row): void; end(): Digest } {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(row) {
      rows += 1
      const columns = Object.keys(row).sort()
      hash.update(`${JSON.stringify(columns.map((column) => [column, plain(row[column] ?? null)]))}\n`)
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  }
}

function plain(value: SqlValue): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}
