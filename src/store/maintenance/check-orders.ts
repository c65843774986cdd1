import type { ItemStatus } from '../../contract/enums.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { everyIdentity } from '../../domain/fulfillments/order-identity.ts'
import { slabName } from '../../domain/graders/certificate.ts'
import { stockByStatus } from '../../domain/items/item-states.ts'
import { allAmong, join, padded, sql, type Tx } from '../database.ts'
import { tenDaysOf } from '../tables/counts.ts'
import { countRows } from '../tables/documents.ts'
import { fulfillmentColumns, transferColumns } from '../tables/fulfillments.ts'
import { itemColumns } from '../tables/items.ts'
import { findIdentityBacklog, type OrderIdentity } from '../tables/order-identities.ts'
import type { StockChange } from '../tables/stock.ts'
import { checkItemCounts } from './check-counts.ts'
import {
  type Checked,
  checkDocuments,
  compare,
  compareDocument,
  documentOf,
  type Report,
} from './check-findings.ts'
import { type Part, pagesOf, type Row, rowsOf, within } from './scoped-rows.ts'

type Link = { qid: string; fulfillment_id: string }

/** Rows per page: an order can have a thousand items. */
const few = { rowsAtOnce: 100 }

export async function checkOrders(at: Checked): Promise<void> {
  await checkFulfillments(at)
  await checkDocuments(at, 'transfers', transferColumns)
}

/** Finds slabs that several partners hold in production. In sandboxes, where each partner rehearses alone, they may. */
export async function checkSlabs(tx: Tx, report: Report): Promise<void> {
  const rows = await tx.all<{ cert_number: string; grader: string | null; holder: string }>(sql`
    select h.cert_key as cert_number, h.grader_key as grader, p.name || ' (' || h.qid || ')' as holder
    from (
      select i.qid, i.scope_id, i.cert_key, i.grader_key,
        min(i.scope_id) over same_slab as lowest, max(i.scope_id) over same_slab as highest
      from items i join scopes s on s.id = i.scope_id
      where s.environment = 'production' and i.held = 1 and i.cert_key <> ''
      window same_slab as (partition by i.cert_key, i.grader_key)) h
    join scopes s on s.id = h.scope_id join partners p on p.id = s.partner_id
    where h.lowest <> h.highest order by h.cert_key, h.grader_key, h.scope_id, h.qid`)
  for (const [slab, held] of Map.groupBy(rows, slabName)) {
    const holders = held.map(({ holder }) => holder).join(' and ')
    report('items', slab, `is in custody for ${holders}: ${advice}`)
  }
}

const advice =
  'find out whose it is, and let the other item leave by custody transfers request and custody warehouse resolve-transfer'

async function checkFulfillments(at: Checked): Promise<void> {
  const { tx, report } = at
  const identities = await identityCheck(at)
  let noted = 0
  for await (const { rows } of pagesOf(at.tx, 'fulfillments', few)) {
    const fulfillments = rows.flatMap((row) => checkFulfillment(report, row) ?? [])
    await identities.checkPage(fulfillments)
    const links = await linksOf(at, new Set(fulfillments.flatMap(({ qids }) => qids)))
    for (const { id, qids } of fulfillments) {
      for (const qid of qids) {
        if (links.delete(`${id} ${qid}`)) noted += 1
        else report('fulfillments', id, `${qid} is not linked to it`)
      }
    }
  }
  if ((await countRows(tx, 'fulfillment_items')) !== noted)
    await findStrays<Link>(at, 'fulfillment_items', async (orders) => {
      const qids = new Map(orders.map((order) => [order.id, new Set(order.qids)]))
      return ({ qid, fulfillment_id: id }) =>
        qids.get(id)?.has(qid) ? null : [`${id} ${qid}`, 'its fulfillment does not contain the item']
    })
  await identities.end()
  await checkHolds(at)
}

function checkFulfillment(report: Report, row: Row): Fulfillment | undefined {
  const key = String(row.id)
  const fulfillment = documentOf<Fulfillment>(report, 'fulfillments', key, row.doc)
  if (!fulfillment) return undefined
  compare(report, 'fulfillments', key, row, fulfillmentColumns(fulfillment))
  return { ...fulfillment, id: key }
}

async function linksOf({ tx }: Checked, qids: ReadonlySet<string>): Promise<Set<string>> {
  const links = await allAmong([...qids], 1000, (some) =>
    tx.all<Link>(sql`
      select qid, fulfillment_id from fulfillment_items
      where scope_id = ${tx.scope} and qid in (${join(padded(some))})
      order by qid, fulfillment_id`),
  )
  return new Set(links.map(({ qid, fulfillment_id }) => `${fulfillment_id} ${qid}`))
}

type Stray = Row & { fulfillment_id: string }

/** Rows that do not belong to their fulfillment. Called only if there are any, because it reads each document many times. */
async function findStrays<Each extends Stray>(
  at: Checked,
  table: 'fulfillment_items' | 'order_identities',
  faultsOf: (orders: readonly Fulfillment[]) => Promise<(row: Each) => [key: string, problem: string] | null>,
): Promise<void> {
  const { tx, report } = at
  for await (const { rows } of pagesOf<Each>(at.tx, table, few)) {
    if (rows.length === 0) continue
    const ids = [...new Set(rows.map(({ fulfillment_id }) => fulfillment_id))]
    const stored = await tx.all<Row>(sql`
      select id, doc from fulfillments where scope_id = ${tx.scope} and id in (${join(padded(ids))}) order by id`)
    const orders = stored.flatMap(({ id, doc }) => {
      const order = documentOf<Fulfillment>(() => {}, 'fulfillments', id, doc)
      return order ? { ...order, id: String(id) } : []
    })
    const faultOf = await faultsOf(orders)
    for (const row of rows) {
      const fault = faultOf(row)
      if (fault) report(table, ...fault)
    }
  }
}

type Possible = Map<string, ReturnType<typeof everyIdentity>>

/** Every order outside the backlog has an identity that follows from its document; every identity fits its order. */
async function identityCheck(at: Checked) {
  const { tx, report } = at
  const backlog = await findIdentityBacklog(tx)
  let right = 0
  return {
    async checkPage(orders: readonly Fulfillment[]): Promise<void> {
      const possible = await possibleOf(at, orders)
      const kept = await keptAmong(at, possible)
      for (const [id, { identities, isWhole }] of possible) {
        const count = [...identities].filter((identity) => kept.has(`${identity} ${id}`)).length
        right += count
        const waits = backlog !== undefined && id > backlog.after_id && id <= backlog.until_id
        if (count === 0 && isWhole && !waits)
          report('fulfillments', id, 'has no identity, so repeats of it are not found')
      }
    },
    async end(): Promise<void> {
      if ((await countRows(tx, 'order_identities')) === right) return
      await findStrays<OrderIdentity>(at, 'order_identities', async (orders) => {
        const possible = await possibleOf(at, orders)
        return ({ identity, fulfillment_id: id }) => {
          const order = possible.get(id)
          if (order && (order.identities.has(identity) || !order.isWhole)) return null
          return [`${identity} ${id}`, order ? 'does not match its order' : 'its order does not exist']
        }
      })
    },
  }
}

/** The identities that each order may have. */
async function possibleOf({ tx }: Checked, orders: readonly Fulfillment[]): Promise<Possible> {
  const qids = [...new Set(orders.flatMap((order) => order.qids))]
  const items = await allAmong(qids, 500, (some) =>
    tx.all<{ qid: string; sku: string }>(
      sql`select qid, sku from items where scope_id = ${tx.scope} and qid in (${join(padded(some))}) order by qid`,
    ),
  )
  const skus = new Map(items.map(({ qid, sku }) => [qid, sku]))
  return new Map(orders.map((order) => [order.id, everyIdentity(order, (qid) => skus.get(qid))]))
}

async function keptAmong({ tx }: Checked, possible: Possible): Promise<Set<string>> {
  const identities = [...new Set([...possible.values()].flatMap((order) => [...order.identities]))]
  const ids = new Set(possible.keys())
  const rows = await allAmong(identities, 500, (some) =>
    tx.all<OrderIdentity>(sql`
      select identity, fulfillment_id from order_identities
      where scope_id = ${tx.scope} and identity in (${join(padded(some))}) order by identity, fulfillment_id`),
  )
  return new Set(
    rows
      .filter(({ fulfillment_id }) => ids.has(fulfillment_id))
      .map(({ identity, fulfillment_id }) => `${identity} ${fulfillment_id}`),
  )
}

/** An item that names a fulfillment must be linked to it. */
async function checkHolds({ tx, report }: Checked): Promise<void> {
  const rows = await tx.all<Link>(sql`
    select i.qid, i.fulfillment_id from items i
    where i.scope_id = ${tx.scope} and i.fulfillment_id is not null and not exists (
      select 1 from fulfillment_items f
      where f.scope_id = ${tx.scope} and f.qid = i.qid and f.fulfillment_id = i.fulfillment_id)
    order by i.qid`)
  for (const { qid, fulfillment_id } of rows)
    report('items', qid, `names ${fulfillment_id}, which does not contain it`)
}

type Stock = StockChange & { sku: string }

const nothing: StockChange = { on_hand: 0, available: 0, allocated: 0 }

/** Recounts every SKU's stock from its items. Every catalog SKU has a row, even without stock (decisions 7). */
export async function checkStock(at: Checked): Promise<void> {
  for await (const { rows, part } of pagesOf<Stock>(at.tx, 'stock'))
    compareStock(at.report, rows, await recount(at, part))
}

function compareStock(report: Report, rows: readonly Stock[], counted: Map<string, StockChange>): void {
  for (const { sku, ...kept } of rows) {
    const stock = counted.get(sku) ?? nothing
    counted.delete(sku)
    if (shown(kept) !== shown(stock)) report('stock', sku, `${shown(kept)} stored, ${shown(stock)} counted`)
  }
  for (const [sku, stock] of counted) report('stock', sku, `nothing stored, ${shown(stock)} counted`)
}

async function recount({ tx }: Checked, part: Part): Promise<Map<string, StockChange>> {
  const stock = new Map<string, StockChange>()
  const catalog = sql`select sku from products where scope_id = ${tx.scope} ${within('sku', part)} order by sku`
  for (const sku of await tx.values<string>(catalog)) stock.set(sku, nothing)
  const rows = await tx.all<{ sku: string; status: ItemStatus; n: number }>(sql`
    select sku, status, count(*) as n from items where scope_id = ${tx.scope} ${within('sku', part)}
    group by sku, status order by sku, status`)
  for (const { sku, status, n } of rows) {
    const before = stock.get(sku) ?? nothing
    // `checkItems` reports unknown statuses.
    const units = stockByStatus[status] ?? nothing
    stock.set(sku, {
      on_hand: before.on_hand + units.on_hand * n,
      available: before.available + units.available * n,
      allocated: before.allocated + units.allocated * n,
    })
  }
  return stock
}

function shown({ on_hand, available, allocated }: StockChange): string {
  return `${on_hand} on hand, ${available} available, ${allocated} allocated`
}

/** Documents match their columns, and the counters by status and grader, and by ten days and status, are right. */
export async function checkItems(at: Checked): Promise<void> {
  const none = (): Map<string, number> => new Map()
  const counted = { items: none(), items_by_intake: none(), items_by_update: none() }
  for await (const row of rowsOf(at.tx, 'items')) {
    countOne(counted.items, `${row.status}|${row.grader_key ?? ''}`)
    countOne(counted.items_by_intake, `${tenDaysOf(String(row.intake_at))}|${row.status}`)
    countOne(counted.items_by_update, `${tenDaysOf(String(row.updated_at))}|${row.status}`)
    compareDocument(at.report, 'items', row.qid, row, itemColumns)
  }
  for (const kind of ['items', 'items_by_intake', 'items_by_update'] as const) {
    await checkItemCounts(at, kind, counted[kind])
  }
}

function countOne(counted: Map<string, number>, key: string): void {
  counted.set(key, (counted.get(key) ?? 0) + 1)
}
