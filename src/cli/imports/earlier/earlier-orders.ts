import type { Client } from '../../../client/client.ts'
import type { CsvRowError } from '../../../contract/resources/error.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { quoted } from '../../../domain/csv/csv-fault.ts'
import type { AcceptedRow } from '../../../domain/csv/csv-row.ts'
import { rowError } from '../../../domain/csv/csv-row-errors.ts'
import type { FulfillmentRow } from '../../../domain/fulfillments/fulfillment-csv.ts'
import { createHashSet } from '../../connection/hash-set.ts'
import { isThere } from '../journal/still-there.ts'
import { addressKey, contentMark, differences, itemKey, orderKeys, rowKey } from './order-content.ts'
import type { OrderedRows } from './ordered-rows.ts'
import { ordersByReference } from './orders-by-reference.ts'
import type { InDoubt } from './unanswered-orders.ts'

type Row = AcceptedRow<FulfillmentRow>

/** What is to be done with rows of a slice. */
type Judged = {
  /** Rows that were ordered just so. */
  same: number[]
  /** Those of them whose order was cancelled since. */
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
export async function withSku(
  client: Client,
  { items }: Pick<FulfillmentRow, 'items'>,
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

/** Judges rows as they are found; those that may be one more of their reference, wherever the others are in the file, at the end. */
export function rowJudge(inDoubt: InDoubt) {
  const [taken, addresses, items] = [createHashSet(), createHashSet(), createHashSet()]
  const held: Held[] = []
  const doubtful: CsvRowError[] = []
  return {
    judge(found: readonly FoundRow[]): Judged {
      const before: Judged = { same: [], cancelled: [] }
      for (const { row, value, isSame, order, others } of found) {
        const [newest] = others
        if (order?.status === 'cancelled') before.cancelled.push(row)
        if (isSame) {
          before.same.push(row)
          if (order) taken.add(order.id)
          addresses.add(addressKey(value))
          items.add(itemKey(value))
        } else if (newest)
          held.push({ value, ids: others.map(({ id }) => id), error: otherwise(row, value, newest) })
        else {
          const why = inDoubt(contentMark(value), value.external_ref)
          if (why) doubtful.push(rowError(row, 'state_conflict', perhapsOrdered(value, why)))
        }
      }
      return before
    },
    /** Rows that are not to be ordered: of a reference that was ordered with other content, or perhaps ordered already. */
    changed(): CsvRowError[] {
      // A reference may have several rows, an item each. Where other rows ask for all its earlier orders, a row with another
      // item for the same address is one more, and no changed one.
      const isOneMore = ({ value, ids }: Held): boolean =>
        ids.every((id) => taken.has(id)) && addresses.has(addressKey(value)) && !items.has(itemKey(value))
      return [...held.filter((row) => !isOneMore(row)).map(({ error }) => error), ...doubtful]
    },
  }
}

/** A row whose reference has earlier orders, none of them just so. */
type Held = { value: FulfillmentRow; ids: readonly string[]; error: CsvRowError }

function otherwise(row: number, value: FulfillmentRow, order: Fulfillment): CsvRowError {
  const { external_ref } = value
  const words = `${quoted(external_ref ?? '')} was ordered before with other content (order ${order.id}, ${order.status})`
  return rowError(row, 'state_conflict', { external_ref: [words], ...differences(value, order) })
}

function perhapsOrdered({ items }: FulfillmentRow, why: string): Record<string, string[]> {
  return 'qid' in items ? { qid: [`${items.qid} ${why}`] } : { sku: [`${quoted(items.sku)} ${why}`] }
}
