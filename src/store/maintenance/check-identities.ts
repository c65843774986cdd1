import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { everyIdentity } from '../../domain/fulfillments/order-identity.ts'
import { allAmong, join, padded, sql } from '../database.ts'
import { countRows } from '../tables/documents.ts'
import { findIdentityBacklog, type OrderIdentity } from '../tables/order-identities.ts'
import { type Checked, documentOf } from './check-findings.ts'
import { pagesOf, type Row } from './scoped-rows.ts'

type Possible = Map<string, ReturnType<typeof everyIdentity>>

/** Rows per page: an order can have a thousand items. */
const few = { rowsAtOnce: 100 }

/** Every order outside the backlog has an identity that follows from its document; every identity fits its order. */
export async function identityCheck(at: Checked) {
  const { tx, scopeId, report } = at
  const backlog = await findIdentityBacklog(tx, scopeId)
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
      if ((await countRows(tx, scopeId, 'order_identities')) !== right) await findStrays(at)
    },
  }
}

/** Called only if the numbers disagree, because it reads every identity. */
async function findStrays(at: Checked): Promise<void> {
  const { tx, scopeId, report } = at
  for await (const { rows } of pagesOf<OrderIdentity>(at, 'order_identities', few)) {
    if (rows.length === 0) continue
    const ids = [...new Set(rows.map(({ fulfillment_id }) => fulfillment_id))]
    const stored = await tx.all<Row>(sql`
      select id, doc from fulfillments where scope_id = ${scopeId} and id in (${join(padded(ids))}) order by id`)
    const orders = stored.flatMap(
      ({ id, doc }) => documentOf<Fulfillment>(() => {}, 'fulfillments', id, doc) ?? [],
    )
    const possible = await possibleOf(at, orders)
    for (const { identity, fulfillment_id } of rows) {
      const order = possible.get(fulfillment_id)
      if (order && (order.identities.has(identity) || !order.isWhole)) continue
      const problem = order ? 'does not match its order' : 'its order does not exist'
      report('order_identities', `${identity} ${fulfillment_id}`, problem)
    }
  }
}

/** The identities that each order may have. */
async function possibleOf({ tx, scopeId }: Checked, orders: readonly Fulfillment[]): Promise<Possible> {
  const qids = [...new Set(orders.flatMap((order) => order.qids))]
  const items = await allAmong(qids, 500, (some) =>
    tx.all<{ qid: string; sku: string }>(
      sql`select qid, sku from items where scope_id = ${scopeId} and qid in (${join(padded(some))}) order by qid`,
    ),
  )
  const skus = new Map(items.map(({ qid, sku }) => [qid, sku]))
  return new Map(orders.map((order) => [order.id, everyIdentity(order, (qid) => skus.get(qid))]))
}

async function keptAmong({ tx, scopeId }: Checked, possible: Possible): Promise<Set<string>> {
  const identities = [...new Set([...possible.values()].flatMap((order) => [...order.identities]))]
  const ids = new Set(possible.keys())
  const rows = await allAmong(identities, 500, (some) =>
    tx.all<OrderIdentity>(sql`
      select identity, fulfillment_id from order_identities
      where scope_id = ${scopeId} and identity in (${join(padded(some))}) order by identity, fulfillment_id`),
  )
  return new Set(
    rows
      .filter(({ fulfillment_id }) => ids.has(fulfillment_id))
      .map(({ identity, fulfillment_id }) => `${identity} ${fulfillment_id}`),
  )
}
