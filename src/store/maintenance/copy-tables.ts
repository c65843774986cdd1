import { createHash } from 'node:crypto'
import type { SqlValue, Tx } from '../database.ts'
import { searchOf } from '../search-of.ts'
import { type Row, rowsOf } from './check-findings.ts'

/** Every table that holds a scope's data, with the rest of its key: what is copied, in this order. */
export const scopedTables: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['id'],
  counts: ['kind', 'key'],
  products: ['id'],
  stock: ['sku'],
  manifests: ['id'],
  manifest_lines: ['manifest_id', 'line_no'],
  shut_manifests: ['id'],
  phrases: ['phrase_no'],
  phrase_words: ['word', 'word_count', 'phrase_no'],
  items: ['qid'],
  intakes: ['intake_no'],
  fulfillments: ['id'],
  fulfillment_items: ['qid', 'fulfillment_id'],
  transfers: ['id'],
  events: ['seq'],
  idempotency: ['path', 'key'],
  unfinished_writes: ['path', 'key'],
  unfinished_parts: ['path', 'key', 'part_no'],
  webhook_subscriptions: ['id'],
  deliveries: ['subscription_id', 'id'],
  delivery_ranges: ['subscription_id', 'id'],
}

/** How many rows, and the SHA-256 (hex) over all of them in the order of their key, whatever keeps them. */
export type Digest = { rows: number; sha256: string }

/** Copies a table's rows from one scope to another, in another database; answers the digest of what was read. */
export async function copyTable(
  from: { tx: Tx; scopeId: number },
  to: { tx: Tx; scopeId: number },
  table: string,
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

/** The same of rows that are there, without the keys (by id) that were there before. */
export async function digestTable(
  tx: Tx,
  scopeId: number,
  table: string,
  keysBefore: ReadonlySet<string>,
): Promise<Digest> {
  const digest = createDigest()
  for await (const row of keptRows(tx, scopeId, table)) {
    if (table !== 'api_keys' || !keysBefore.has(String(row.id))) digest.add(row)
  }
  return digest.end()
}

/** A lease belongs to a process, which is not copied. */
async function* keptRows(tx: Tx, scopeId: number, table: string): AsyncGenerator<Row> {
  const rows = rowsOf<Row>(tx, scopeId, table, ['*'], scopedTables[table] ?? [], {
    rowsAtOnce: rowsAtOnce(table),
  })
  for await (const { scope_id: _, ...row } of rows) {
    yield 'lease_owner' in row ? { ...row, lease_owner: null, lease_until: null } : row
  }
}

/** Few at once: the stored result of an import may have megabytes. */
function rowsAtOnce(table: string): number {
  return table === 'idempotency' ? 5 : 1000
}

async function insertRows(tx: Tx, scopeId: number, table: string, rows: readonly Row[]): Promise<void> {
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
