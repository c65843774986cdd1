import { dayMs } from '../contract/limits.ts'
import type { Fulfillment } from '../contract/resources/fulfillment.ts'
import {
  type IdentifiedOrder,
  possibleIdentities,
  type Repetition,
  repetitionAmong,
} from '../domain/fulfillments/order-identity.ts'
import { assert } from '../domain/rejection.ts'
import { unicodeForms } from '../domain/unicode-forms.ts'
import { listOfReference } from '../store/tables/fulfillments.ts'
import { findItems } from '../store/tables/items.ts'
import {
  findIdentityBacklog,
  findNewestOrdered,
  insertOrderIdentities,
  listOfBacklog,
  listOrdered,
  moveIdentityBacklog,
} from '../store/tables/order-identities.ts'
import type { ReadContext, TimedReadContext, UnitOfWork } from './context.ts'

/** Thrown with the answer of an earlier request that did the same; sent with status 200 (decisions 13). */
export class Repeated {
  readonly text: string | readonly string[]
  constructor(text: string | readonly string[]) {
    this.text = text
  }
}

/** Fulfillments compared per identity or reference. Any of them can block the order. */
const comparedMax = 100

/** The earlier fulfillments that distinct orders repeat. The scope is claimed, so the answer stays true. */
export async function findRepetitions(
  view: TimedReadContext,
  orders: readonly IdentifiedOrder[],
): Promise<Array<Repetition | undefined>> {
  const newest = await findNewestOrdered(view.tx, [...new Set(orders.flatMap(({ compared }) => compared))])
  const repetitions: Array<Repetition | undefined> = []
  for (const order of orders) {
    const found = order.compared.flatMap((identity) => newest.get(identity) ?? [])
    const docs: Fulfillment[] = found.map(({ doc }) => JSON.parse(doc))
    const first = found.length === 0 ? undefined : await repetitionOf(view, order, docs)
    const isSure = first?.kind === 'repeated' || !(order.isWhole || found.some(({ hasOlder }) => hasOlder))
    repetitions.push(isSure ? first : await repetitionOf(view, order, await allOrdered(view, order)))
  }
  return repetitions
}

/** Works on the backlog of migration 14 for a few milliseconds, so that no write waits long. Returns whether more remain. */
export async function fillIdentities(work: UnitOfWork): Promise<boolean> {
  const { tx, scope } = work
  const backlog = await findIdentityBacklog(tx)
  if (!backlog) return false
  const docs = await listOfBacklog(tx, backlog, backlogAtOnce)
  const some: Fulfillment[] = []
  for (let items = 0; some.length < docs.length && items < itemsAtOnce; ) {
    const next: Fulfillment = JSON.parse(docs[some.length]!)
    some.push(next)
    items += next.qids.length
  }
  assert(
    some.length > 0 || docs.length === 0,
    'a step reads an order of the backlog, if any is left',
    scope.id,
    backlog.after_id,
  )
  const skuOf = await skusOf(work, some)
  const rows = some.flatMap((each) =>
    [...possibleIdentities(each, skuOf)].map((identity) => ({ identity, fulfillment_id: each.id })),
  )
  await insertOrderIdentities(tx, rows)
  const hasMore = some.length < docs.length || docs.length === backlogAtOnce
  await moveIdentityBacklog(tx, hasMore ? some.at(-1)?.id : undefined)
  return hasMore
}

const backlogAtOnce = 100
const itemsAtOnce = 500

async function repetitionOf(
  view: TimedReadContext,
  order: IdentifiedOrder,
  found: readonly Fulfillment[],
): Promise<Repetition | undefined> {
  const since = new Date(Date.parse(view.now) - view.settings.repeatsDays * dayMs).toISOString()
  const isByContent = order.draft.external_ref === null
  const earlier = found.filter(({ created_at }) => !isByContent || created_at >= since)
  return repetitionAmong(order, earlier, await skusOf(view, earlier))
}

async function allOrdered(
  { tx }: ReadContext,
  { isWhole, draft, compared }: IdentifiedOrder,
): Promise<Fulfillment[]> {
  const docs: string[] = []
  if (isWhole && draft.external_ref !== null) {
    for (const reference of unicodeForms(draft.external_ref))
      docs.push(...(await listOfReference(tx, reference, comparedMax)))
  } else {
    for (const identity of compared) docs.push(...(await listOrdered(tx, identity, comparedMax)))
  }
  const all: Fulfillment[] = docs.map((doc) => JSON.parse(doc))
  return all.sort((one, other) => (one.id < other.id ? 1 : -1))
}

async function skusOf(
  { tx }: ReadContext,
  fulfillments: readonly Fulfillment[],
): Promise<(qid: string) => string | undefined> {
  const qids = new Set(fulfillments.flatMap((each) => each.qids))
  const items = await findItems(tx, [...qids])
  const skus = new Map(items.map(({ item }) => [item.qid, item.sku]))
  return (qid) => skus.get(qid)
}
