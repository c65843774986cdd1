import type { Client } from '../../../client/client.ts'
import type { CsvRowError } from '../../../contract/resources/error.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { quoted } from '../../../domain/csv/csv-fault.ts'
import type { AcceptedRow } from '../../../domain/csv/csv-row.ts'
import { rowError } from '../../../domain/csv/csv-row-errors.ts'
import type { FulfillmentRow } from '../../../domain/fulfillments/fulfillment-csv.ts'
import { isThere } from '../journal/still-there.ts'
import { addressKey, contentMark, differences, itemKey, orderKeys, rowKey } from './order-content.ts'
import type { OrderedRows } from './ordered-rows.ts'
import { ordersByReference } from './orders-by-reference.ts'

type Row = AcceptedRow<FulfillmentRow>

type OrderedBefore = {
  /** Rows that were ordered with the same content. */
  same: number[]
  /** Rows whose reference was ordered with other content. */
  changed: CsvRowError[]
  /** Those of the same rows whose order was cancelled since. */
  cancelled: number[]
}

/** Finds which rows of a slice were ordered before, while nothing of their file is sent. */
type EarlierOrders = {
  find(rows: readonly Row[]): Promise<FoundRow[]>
}

/** What was found of a row: the order that is just so, where it is known which; or those that have its reference alone. */
export type FoundRow = Row & {
  isSame: boolean
  order: Fulfillment | undefined
  others: readonly Fulfillment[]
}

/**
 * Rows with a reference are looked for on the target, by the journal where it does not list orders; rows without one by their
 * content in the journal (decisions 12).
 */
export function earlierOrders(client: Client, journal: OrderedRows): EarlierOrders {
  const target = ordersByReference(client, journal)
  return {
    async find(rows) {
      const marked = rows.map((row) => ({ ...row, mark: contentMark(row.value) }))
      const refs = referencesOf(marked)
      const unknown = referencesOf(marked.filter(({ mark }) => !journal.has(mark)))
      const orders = refs.length === 0 ? noOrders : await target.find(refs, unknown)
      const keyed = new Map([...orders].map(([ref, found]) => [ref, byKey(found)]))
      const found: FoundRow[] = []
      for (const { row, value, mark } of marked) {
        const ref = value.external_ref
        const [others = [], alike = []] =
          ref === null ? [] : [orders.get(ref), keyed.get(ref)?.get(rowKey(value))]
        const isKnown = ref === null ? journal.take(mark) : journal.has(mark)
        const order = await withSku(client, value, alike, isKnown)
        // What the journal knows counts as long as the target does not say otherwise.
        const isSame =
          order !== undefined ||
          (isKnown && (ref === null || others.length > 0 || !(await target.isListed())))
        found.push({ row, value, isSame, order, others })
      }
      return found
    },
  }
}

function referencesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ value }) => value.external_ref ?? []))]
}

const noOrders: ReadonlyMap<string, Fulfillment[]> = new Map()

function byKey(orders: readonly Fulfillment[]): Map<string, Fulfillment[]> {
  const keyed = new Map<string, Fulfillment[]>()
  for (const order of orders)
    for (const key of orderKeys(order)) keyed.set(key, [...(keyed.get(key) ?? []), order].slice(0, alikeMax))
  return keyed
}

/** Orders that are alike but for the SKU of their items: so many are looked at. */
const alikeMax = 20

/** An order does not contain the SKU of its items: the journal may know it, otherwise its first item is fetched. */
async function withSku(
  client: Client,
  { items }: FulfillmentRow,
  orders: readonly Fulfillment[],
  isKnown: boolean,
): Promise<Fulfillment | undefined> {
  if ('qid' in items || isKnown) return orders[0]
  for (const order of orders) {
    const [qid = ''] = order.qids
    let sku: string | undefined
    await isThere(async () => {
      sku = (await client.getItem({ params: { qid } })).data.sku
    })
    if (sku === items.sku) return order
  }
  return undefined
}

/** What is to be done with rows; all of a reference together, as far as they are near each other. */
export function judged(found: readonly FoundRow[]): OrderedBefore {
  const before: OrderedBefore = { same: [], changed: [], cancelled: [] }
  const isOneMore = oneMoreOf(found)
  for (const each of found) {
    const { row, value, isSame, order, others } = each
    if (isSame) before.same.push(row)
    if (order?.status === 'cancelled') before.cancelled.push(row)
    const [newest] = others
    if (newest && !isSame && !isOneMore(each)) before.changed.push(orderedOtherwise(row, value, newest))
  }
  return before
}

/**
 * A reference may have several rows, an item each. Where other rows ask for all its earlier orders, a row with another item for
 * the same address is one more, and no changed one.
 */
function oneMoreOf(found: readonly FoundRow[]): (row: FoundRow) => boolean {
  const taken = new Set(found.flatMap(({ order }) => order?.id ?? []))
  const same = found.filter(({ isSame }) => isSame)
  const addresses = new Set(same.map(({ value }) => addressKey(value)))
  const items = new Set(same.map(({ value }) => itemKey(value)))
  return ({ value, others }) =>
    others.every(({ id }) => taken.has(id)) && addresses.has(addressKey(value)) && !items.has(itemKey(value))
}

function orderedOtherwise(row: number, value: FulfillmentRow, order: Fulfillment): CsvRowError {
  const { external_ref } = value
  const words = `${quoted(external_ref ?? '')} was ordered before with other content (order ${order.id}, ${order.status})`
  return rowError(row, 'state_conflict', { external_ref: [words], ...differences(value, order) })
}
