import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { quoted } from '../../../domain/csv/csv-fault.ts'
import type { FulfillmentRow } from '../../../domain/fulfillments/fulfillment-csv.ts'
import { sha256 } from '../../base/crypto.ts'

/** Characters of a mark: 64 bits. */
export const markLength = 16

/** A hash of everything that a row orders: the same for the same content, whatever the file. */
export function contentMark(row: FulfillmentRow): string {
  const { items, external_ref } = row
  const ordered = 'qid' in items ? [items.qid] : [items.sku, items.quantity]
  return sha256(JSON.stringify([ordered, external_ref, fieldsOf(row)]), markLength)
}

/** The same for an order and for rows that ask for just that, as far as the order tells: it does not name its SKU. */
export function orderKeys(order: Fulfillment): [ofItem: string, ofUnits: string] {
  const fields = fieldsOf(order)
  return [JSON.stringify([order.qids.join(), fields]), JSON.stringify([order.qids.length, fields])]
}

export function rowKey(row: FulfillmentRow): string {
  return JSON.stringify(['qid' in row.items ? row.items.qid : row.items.quantity, fieldsOf(row)])
}

/** The address and options of a row, with its reference. */
export function addressKey(row: FulfillmentRow): string {
  return JSON.stringify([row.external_ref, fieldsOf(row)])
}

/** What a row asks for, with its reference. */
export function itemKey({ items, external_ref }: FulfillmentRow): string {
  return JSON.stringify([external_ref, 'qid' in items ? items.qid : items.sku])
}

/** The columns in which a row differs from an order. */
export function differences(row: FulfillmentRow, order: Fulfillment): Record<string, string[]> {
  const { items } = row
  const theirs = fieldsOf(order)
  const pairs: Array<[string, unknown, unknown]> = [
    'qid' in items
      ? ['qid', items.qid, order.qids.join(', ')]
      : ['quantity', items.quantity, order.qids.length],
    ...Object.entries(fieldsOf(row)).map(
      ([field, ours]) => [field, ours, theirs[field]] as [string, unknown, unknown],
    ),
  ]
  const different = pairs.filter(([, ours, there]) => ours !== there)
  if (different.length === 0 && 'sku' in items) return { sku: ['is not that of the items there'] }
  return Object.fromEntries(
    different.map(([field, ours, there]) => [field, [`is ${shown(ours)} here and ${shown(there)} there`]]),
  )
}

/** An order of a service may lack an address, or have one of a form that is not known: then every field of it differs. */
function fieldsOf(order: FulfillmentRow | Fulfillment): Record<string, unknown> {
  const { shipping_address: address, special_instructions, deliver_by } = order
  return {
    recipient_name: address?.recipient_name ?? null,
    street: address?.street ?? null,
    street_2: address?.street_2 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    zip: address?.zip ?? null,
    country: address?.country ?? null,
    special_instructions: special_instructions ?? null,
    deliver_by: deliver_by ?? null,
  }
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  return typeof value === 'string' ? quoted(value) : String(value)
}
