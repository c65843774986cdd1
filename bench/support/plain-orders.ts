import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pragmas } from './plain-import.ts'

const ordersAtOnce = 5000
type Row = Record<string, SQLInputValue>

/**
 * The limit of orders in bulk: a bare loop that writes the rows of `done` into `database`, which has the same units and no
 * orders yet. Returns its milliseconds and its seconds of CPU, without reading the rows.
 */
export function timePlainOrders(done: string, database: string): { ms: number; cpuSeconds: number } {
  const source = new DatabaseSync(done, { readOnly: true })
  const rows = (text: string): Row[] => source.prepare(text).all() as Row[]
  const orders = rows('select * from fulfillments order by id')
  const items = rows('select * from fulfillment_items order by fulfillment_id')
  const identities = rows('select * from order_identities order by fulfillment_id')
  const events = rows('select * from events order by seq')
  const moved = new Map(
    rows(`select * from items where fulfillment_id is not null`).map((row) => [row.qid, row]),
  )
  source.close()
  const db = new DatabaseSync(database)
  for (const pragma of pragmas) db.exec(pragma)
  const inserts = [orders, items, identities, events].map((all) => insertion(db, all))
  const update = db.prepare(
    'update items set status = ?, fulfillment_id = ?, updated_at = ?, doc = ? where scope_id = ? and qid = ?',
  )
  const began = { at: performance.now(), cpu: process.cpuUsage() }
  for (let from = 0; from < orders.length; from += ordersAtOnce) {
    db.exec('begin immediate')
    for (const insert of inserts) insert(from / orders.length, (from + ordersAtOnce) / orders.length)
    for (const { qid } of items.slice(from, from + ordersAtOnce)) {
      const { status, fulfillment_id, updated_at, doc, scope_id } = moved.get(qid) as Row
      update.run(...([status, fulfillment_id, updated_at, doc, scope_id, qid] as SQLInputValue[]))
    }
    db.exec('commit')
  }
  db.close()
  const { user, system } = process.cpuUsage(began.cpu)
  return { ms: performance.now() - began.at, cpuSeconds: (user + system) / 1e6 }
}

/** Inserts a table's rows from one position to another. */
function insertion(db: DatabaseSync, rows: readonly Row[]): (from: number, to: number) => void {
  const columns = Object.keys(rows[0] ?? {})
  const table = tableOf(columns)
  const statement: StatementSync = db.prepare(
    `insert into ${table} (${columns}) values (${columns.map(() => '?')})`,
  )
  return (from, to) => {
    for (const row of rows.slice(Math.round(from * rows.length), Math.round(Math.min(to, 1) * rows.length)))
      statement.run(...Object.values(row))
  }
}

function tableOf(columns: readonly string[]): string {
  if (columns.includes('payload')) return 'events'
  if (columns.includes('identity')) return 'order_identities'
  return columns.includes('doc') ? 'fulfillments' : 'fulfillment_items'
}
