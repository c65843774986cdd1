import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { Fulfillment, Transfer } from '../../src/contract/resources/fulfillment.ts'
import type { IntakeEvent, Item } from '../../src/contract/resources/item.ts'
import type { Operator } from './operator.ts'

type Row = Record<string, unknown>

export function readMirror<T>(file: string, look: (all: (query: string) => Row[]) => T): T {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return look((query) => db.prepare(query).all() as Row[])
  } finally {
    db.close()
  }
}

/** The columns of every table of a mirror. */
export function tablesOfMirror(file: string): Record<string, string[]> {
  return readMirror(file, (all) => {
    const names = all("select name from sqlite_master where type = 'table' and name <> 'custody_mirror'")
    const columns = (name: unknown) =>
      all(`select name from pragma_table_info('${name}')`).map((row) => String(row.name))
    return Object.fromEntries(names.map(({ name }) => [name, columns(name)]))
  })
}

/** Every row of a mirror, by table. */
export function rowsOfMirror(file: string): Record<string, Row[]> {
  const tables = Object.keys(tablesOfMirror(file))
  return readMirror(file, (all) =>
    Object.fromEntries(tables.map((table) => [table, all(`select * from ${table} order by 1, 2`)])),
  )
}

/** A row as a mirror stores it; objects are JSON. */
function expectedRow(columns: readonly string[], fields: Row): Row {
  const value = (one: unknown) =>
    typeof one === 'object' && one !== null ? JSON.stringify(one) : (one ?? null)
  return Object.fromEntries(columns.map((column) => [column, value(fields[column])]))
}

const byFirst = (rows: Row[]) =>
  rows.toSorted((a, b) => (String(Object.values(a)[0]) < String(Object.values(b)[0]) ? -1 : 1))

/** A copy by `custody sync` of what the operator's commands show. */
export async function expectEqualToService(operator: Operator, name: string): Promise<void> {
  const file = operator.path(name)
  const rows = rowsOfMirror(file)
  const columns = tablesOfMirror(file)
  const statuses = Object.keys((await operator.look<{ by_status: Row }>(['items', 'summary'])).by_status)
  const items: Item[] = []
  for (const status of statuses)
    items.push(...(await operator.look<Item[]>(['items', 'ls', '--status', status, '--all'])))
  expect(byFirst(rows.items!)).toEqual(byFirst(items.map((item) => expectedRow(columns.items!, item))))
  // A stage emits no event, so an order in processing may be further than its last event.
  const orders = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--all'])
  const rowOf = ({ shipping_address, issue, ...order }: Fulfillment) => {
    const issued = issue && {
      issue_code: issue.code,
      issue_message: issue.message,
      issue_occurred_at: issue.occurred_at,
    }
    return expectedRow(columns.fulfillments!, { ...order, ...shipping_address, ...issued })
  }
  const settled = new Set(orders.filter(({ status }) => status !== 'processing').map(({ id }) => id))
  expect(settled.size).toBeGreaterThan(0)
  expect(byFirst(rows.fulfillments!.filter(({ id }) => settled.has(String(id))))).toEqual(
    byFirst(orders.filter(({ id }) => settled.has(id)).map(rowOf)),
  )
  expect(rows.fulfillment_items).toHaveLength(orders.flatMap(({ qids }) => qids).length)
  const transfers = await operator.look<Transfer[]>(['transfers', 'ls', '--all'])
  expect(byFirst(rows.transfers!)).toEqual(
    byFirst(transfers.map((transfer) => expectedRow(columns.transfers!, transfer))),
  )
  const intakes = await operator.look<IntakeEvent[]>(['intakes', 'ls', '--all'])
  expect(rows.intakes).toHaveLength(intakes.length)
  const events = await operator.look<Array<{ id: string }>>(['events', 'ls', '--all'])
  expect(rows.events!.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
}
