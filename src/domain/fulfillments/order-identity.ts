import type { CsvRepeatedRow, CsvRowError } from '../../contract/resources/error.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { sha256 } from '../computing.ts'
import { quoted } from '../csv/csv-header.ts'
import { rowError } from '../csv/csv-row.ts'
import { conflict, type FieldErrors, type Rejection } from '../rejection.ts'
import { isSameText } from '../unicode-forms.ts'
import {
  addressNames,
  type FulfillmentDraft,
  type RequestedItems,
  type SentOrder,
} from './fulfillment-csv.ts'
import { statusStep } from './fulfillment-states.ts'

export type Repetition =
  | { kind: 'repeated'; earlier: Fulfillment }
  | { kind: 'different'; earlier: Fulfillment; fields: FieldErrors }
  | { kind: 'gone'; earlier: Fulfillment }

type SkuOf = (qid: string) => string | undefined

/** `compared`: its own identity first, then that of a whole order with the same reference, which may contain it. */
export type IdentifiedOrder = SentOrder & { identity: string; compared: string[] }

export function identified(order: SentOrder): IdentifiedOrder {
  const { isWhole, draft } = order
  const own = identifying(order)
  const texts = draft.external_ref === null || isWhole ? [own] : [own, wholeOrder(draft.external_ref)]
  const compared = texts.flatMap(storedForms)
  return { ...order, identity: compared[0]!, compared }
}

export function identityOf(order: SentOrder): string {
  return hashed(identifying(order))
}

/** For fulfillments older than stored identities: they do not say whether they were ordered by QID or by SKU. */
export function possibleIdentities(fulfillment: Fulfillment, skuOf: SkuOf): Set<string> {
  const { qids, external_ref } = fulfillment
  const bySku = unitsOf(qids, skuOf)
  const byQid = qids.map((qid) => ({ qid }))
  const isWhole = bySku.length > 1 || external_ref === null
  const forms = [bySku, ...(qids.length === 1 || isWhole ? [byQid] : [])].filter(({ length }) => length > 0)
  return new Set(forms.flatMap((wanted) => storedForms(identifying({ wanted, isWhole, draft: fulfillment }))))
}

/** Up to this many items without a reference, every mix of QIDs and SKUs is tried. */
const mixedMax = 8

export function everyIdentity(
  fulfillment: Fulfillment,
  skuOf: SkuOf,
): { identities: Set<string>; isWhole: boolean } {
  const { qids, external_ref } = fulfillment
  const identities = possibleIdentities(fulfillment, skuOf)
  const add = (text: string): void => {
    for (const form of storedForms(text)) identities.add(form)
  }
  if (external_ref !== null) {
    add(wholeOrder(external_ref))
    return { identities, isWhole: true }
  }
  if (qids.length > mixedMax) return { identities, isWhole: false }
  for (let forms = 0; forms < 2 ** qids.length; forms++) {
    const named = qids.filter((_, at) => forms & (1 << at))
    const others = qids.filter((qid) => !named.includes(qid))
    const wanted = [...named.map((qid) => ({ qid })), ...unitsOf(others, skuOf)]
    add(allContent(wanted, fulfillment))
  }
  return { identities, isWhole: true }
}

function unitsOf(qids: readonly string[], skuOf: SkuOf): Array<{ sku: string; quantity: number }> {
  const skus = new Map<string, number>()
  for (const qid of qids) {
    const sku = skuOf(qid)
    if (sku !== undefined) skus.set(sku, (skus.get(sku) ?? 0) + 1)
  }
  return [...skus].map(([sku, quantity]) => ({ sku, quantity }))
}

/** Expects the newest fulfillment first, and returns the oldest part of a whole order. Undefined if the order may be carried out. */
export function repetitionAmong(
  order: SentOrder,
  earlier: readonly Fulfillment[],
  skuOf: SkuOf,
): Repetition | undefined {
  const live = earlier.filter((each) => !isGone(each))
  const [newest] = live
  if (newest === undefined) return earlier[0] && { kind: 'gone', earlier: earlier[0] }
  const differ = (...parts: Fulfillment[]) => differences(order, parts, skuOf)
  const equal = live.find((each) => isEmpty(differ(each)))
  if (equal) return { kind: 'repeated', earlier: equal }
  const parts = order.isWhole ? live : [newest]
  const fields = differ(...parts)
  if (isEmpty(fields)) return { kind: 'repeated', earlier: parts.at(-1) as Fulfillment }
  return { kind: 'different', earlier: newest, fields }
}

function isEmpty(fields: FieldErrors): boolean {
  return Object.keys(fields).length === 0
}

/** Ordering it again may be intended. */
export function isGone({ status }: Fulfillment): boolean {
  return status === 'cancelled' || status === 'returned'
}

export function namedOrder({ id, created_at, status }: Omit<CsvRepeatedRow, 'row' | 'by'>): string {
  return `order ${id} of ${created_at.slice(0, 10)} (${status})`
}

export function repetitionOfRow(
  row: number,
  order: SentOrder,
  found: Repetition,
): { repeated: CsvRepeatedRow } | { error: CsvRowError } {
  const { earlier } = found
  if (found.kind === 'repeated') {
    const by = order.draft.external_ref === null ? 'content' : 'reference'
    return { repeated: { row, id: earlier.id, status: earlier.status, created_at: earlier.created_at, by } }
  }
  const fields = found.kind === 'different' ? found.fields : goneFault(order.draft, earlier)
  return { error: rowError(row, 'state_conflict', fields) }
}

/** For an order by itself; names fields as in the request's body. */
export function repetitionConflict(
  order: SentOrder,
  found: Extract<Repetition, { kind: 'different' | 'gone' }>,
): Rejection {
  const { id: fulfillment_id, created_at, status } = found.earlier
  const named = namedOrder(found.earlier)
  const extra = { fulfillment_id, created_at, status }
  if (found.kind === 'gone') {
    const message = `This order repeats ${named}. To order it again, give it another external_ref.`
    return conflict(message, { ...extra, fields: goneFault(order.draft, found.earlier) })
  }
  const fields = inBody(found.fields, order)
  const differing = Object.keys(fields).map((name) => (name === 'external_ref' ? 'its items' : name))
  const message = `This order differs from ${named}, in ${differing.join(', ')}.`
  return conflict(message, { ...extra, fields })
}

export function goneFault({ external_ref }: FulfillmentDraft, earlier: Fulfillment): FieldErrors {
  const named = namedOrder(earlier)
  const text =
    external_ref === null
      ? `is missing, and everything else equals ${named}: to order it again, give it an external_ref`
      : `is already used by ${named}: to order it again, give it another one`
  return { external_ref: [text] }
}

function inBody(fields: FieldErrors, { isWhole }: SentOrder): FieldErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([name, messages]) => {
      if ((addressNames as readonly string[]).includes(name)) return [`shipping_address.${name}`, messages]
      return [isWhole && name === 'quantity' ? 'lines' : name, messages]
    }),
  )
}

function differences(order: SentOrder, parts: readonly Fulfillment[], skuOf: SkuOf): FieldErrors {
  const { draft, wanted } = order
  const fields: FieldErrors = {}
  const there = namedOrders(parts)
  const [first] = wanted
  const qids = parts.flatMap((part) => part.qids)
  const items = itemDifferences(order, qids, skuOf)
  if (items.length > 0) {
    const isQuantity =
      wanted.length === 1 && first && 'sku' in first && qids.every((qid) => skuOf(qid) === first.sku)
    if (isQuantity) fields.quantity = [`was ${qids.length} in ${there}`]
    else {
      const named = items.slice(0, differencesNamed).join('; ')
      const which = parts.length === 1 ? 'which has' : 'which together have'
      fields.external_ref = [`is already used by ${there}, ${which} other items: ${named}`]
    }
  }
  for (const part of parts) {
    const compare = (name: string, now: string | null, before: string | null): void => {
      if (!isSameText(now, before))
        fields[name] ??= [`was ${before === null ? 'empty' : quoted(before)} in ${namedOrder(part)}`]
    }
    for (const name of addressNames) {
      compare(name, draft.shipping_address?.[name] ?? null, part.shipping_address?.[name] ?? null)
    }
    for (const name of ['type', 'special_instructions', 'deliver_by'] as const) {
      compare(name, draft[name], part[name])
    }
  }
  const [last] = Object.keys(fields).slice(-1)
  if (last !== undefined) fields[last] = [`${fields[last]}. ${unchanged(parts)}`]
  return fields
}

function namedOrders(orders: readonly Fulfillment[]): string {
  const more = orders.length - differencesNamed
  const named = orders.slice(0, differencesNamed).map(namedOrder)
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(' and ')
}

function unchanged(orders: readonly Fulfillment[]): string {
  const [those, all] = orders.length === 1 ? ['That order is', 'it'] : ['Those orders are', 'them']
  const canCancel = orders.every(
    (order) => statusStep({ ...order, has_shipped: false, interrupted_stage: null }, 'cancelled') !== null,
  )
  const first = canCancel
    ? `: cancel ${all} and give this one another reference, or`
    : ' and cannot be cancelled now:'
  return `${those} unchanged${first} order only what no order of this reference has, under another one`
}

const differencesNamed = 3

/** How the items of earlier orders differ from the wanted ones; empty if they are the same, or contain those of a row. */
function itemDifferences({ wanted, isWhole }: SentOrder, qids: readonly string[], skuOf: SkuOf): string[] {
  const left = new Set(qids)
  const lacking = wanted.flatMap((each) =>
    'qid' in each && !left.delete(each.qid) ? [`no ${each.qid}`] : [],
  )
  const counts = new Map<string, number>()
  for (const qid of left) counts.set(skuOf(qid) ?? '', (counts.get(skuOf(qid) ?? '') ?? 0) + 1)
  const differing = wanted.flatMap((each) => {
    if ('qid' in each) return []
    const count = counts.get(each.sku) ?? 0
    counts.delete(each.sku)
    return count === each.quantity ? [] : [`${count} of ${quoted(each.sku)}, not ${each.quantity}`]
  })
  const others = isWhole ? [...counts] : []
  return [...lacking, ...differing, ...others.map(([sku, count]) => `${count} of ${quoted(sku)}, not 0`)]
}

/** An order is identified by its reference and item, a whole order by its reference, and any other by all its content (decisions 13). */
function identifying({ wanted, isWhole, draft }: SentOrder): string {
  const { external_ref } = draft
  const [first] = wanted
  if (external_ref === null) return allContent(wanted, draft)
  if (isWhole || first === undefined) return wholeOrder(external_ref)
  const [kind, item] = 'qid' in first ? ['qid', first.qid] : ['sku', first.sku]
  return JSON.stringify([kind, external_ref, item])
}

function wholeOrder(external_ref: string): string {
  return JSON.stringify(['order', external_ref])
}

function allContent(wanted: readonly RequestedItems[], draft: FulfillmentDraft): string {
  const { shipping_address: address, type, special_instructions, deliver_by } = draft
  const items = wanted.map((each) => ('qid' in each ? each.qid : `${each.sku} ${each.quantity}`)).sort()
  const where = addressNames.map((name) => address?.[name] ?? null)
  return JSON.stringify(['content', items, where, type, special_instructions, deliver_by])
}

/** The same hash for either Unicode form. */
function hashed(text: string): string {
  return digest(text.normalize())
}

/** Version 1.0.0 stored the hash of a text as it was sent. */
function storedForms(text: string): string[] {
  return text === text.normalize() ? [digest(text)] : [hashed(text), digest(text)]
}

function digest(text: string): string {
  return sha256(text).slice(0, 32)
}
