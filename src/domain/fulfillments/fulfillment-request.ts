import { faultsMax, itemsPerOrderMax } from '../../contract/limits.ts'
import type { Fulfillment, FulfillmentCreate } from '../../contract/resources/fulfillment.ts'
import { unknownQidMessage, unknownSkuMessage } from '../csv/csv-row-errors.ts'
import type { Given } from '../given.ts'
import { canonicalQid } from '../items/qid.ts'
import { type FieldErrors, invalid, Rejection } from '../rejection.ts'
import { checkDestination, type DestinationFault } from './destinations.ts'
import {
  beforeToday,
  type FulfillmentContext,
  type FulfillmentRow,
  type RequestedItems,
} from './fulfillment-csv.ts'

export type FulfillmentDraft = Pick<
  Fulfillment,
  'shipping_address' | 'type' | 'external_ref' | 'special_instructions' | 'deliver_by'
>

/** `isWhole`: the reference means this order alone, as with several lines; orders of single items may share a reference. */
export type SentOrder = {
  wanted: readonly RequestedItems[]
  isWhole: boolean
  draft: FulfillmentDraft
}

type AskedItems = { path: string; wanted: RequestedItems }

export type RequestFaults = { fields: FieldErrors; destination: DestinationFault | null }

type RequestContext = FulfillmentContext & { knowsSku: (sku: string) => boolean }

/** Checks every rule except those about the items' states (decisions 5, 10, 11). */
export function fulfillmentFaults(body: Given<FulfillmentCreate>, context: RequestContext): RequestFaults {
  const fields = { ...itemFaults(body, context.knowsSku), ...deliverByFault(body, context.today) }
  const { country, state = '', zip = '' } = body.shipping_address ?? {}
  const destination =
    country === undefined ? null : checkDestination({ country, state, zip }, context.countriesServed).fault
  for (const [name, messages] of Object.entries(destination?.fields ?? {})) {
    fields[`shipping_address.${name}`] = messages
  }
  return { fields, destination }
}

/** Throws `unsupported_destination` only if there is no other error. */
export function rejectFulfillment(faults: RequestFaults): void {
  const { fields } = faults
  if (Object.keys(fields).length === 0) return
  if (isUnserved(faults)) {
    throw new Rejection('unsupported_destination', 'This destination is not served.', { fields })
  }
  throw invalid(fields)
}

function isUnserved({ fields, destination }: RequestFaults): boolean {
  if (destination?.code !== 'unsupported_destination') return false
  return Object.keys(fields).length === Object.keys(destination.fields).length
}

export function fulfillmentRequest(
  body: FulfillmentCreate,
  { countriesServed }: Pick<FulfillmentContext, 'countriesServed'>,
): SentOrder {
  const { shipping_address: sent } = body
  const { country, state, zip } = checkDestination(sent, countriesServed)
  const { recipient_name, street, street_2 = null, city } = sent
  const draft: FulfillmentDraft = {
    shipping_address: { recipient_name, street, street_2, city, state, zip, country },
    type: body.type,
    external_ref: body.external_ref ?? null,
    special_instructions: body.special_instructions ?? null,
    deliver_by: body.deliver_by ?? null,
  }
  const isWhole = body.lines !== undefined || (body.qids?.length ?? 1) > 1
  return { wanted: summedItems(itemsAsked(body).map(({ wanted }) => wanted)), isWhole, draft }
}

export function orderOfRow({ items, ...given }: FulfillmentRow): SentOrder {
  return { wanted: [items], isWhole: false, draft: { ...given, type: 'standard' } }
}

/** An invalid QID stays as it was sent. */
export function itemsAsked({ qids = [], sku, quantity, lines = [] }: AskedBody): AskedItems[] {
  const byQid = (path: string, qid: string | undefined): AskedItems[] =>
    qid === undefined ? [] : [{ path, wanted: { qid: canonicalQid(qid) ?? qid } }]
  const bySku = (path: string, named: string | undefined, units = 0): AskedItems[] =>
    named === undefined ? [] : [{ path, wanted: { sku: named, quantity: units } }]
  return [
    ...qids.flatMap((qid, at) => byQid(`qids[${at}]`, qid)),
    ...bySku('sku', sku, quantity),
    ...lines.flatMap((line, at) => [
      ...byQid(`lines[${at}].qid`, line?.qid),
      ...bySku(`lines[${at}].sku`, line?.sku, line?.quantity),
    ]),
  ]
}

type AskedBody = Given<Pick<FulfillmentCreate, 'qids' | 'sku' | 'quantity' | 'lines'>>

/** Each SKU once, after the QIDs. */
export function summedItems(asked: readonly RequestedItems[]): RequestedItems[] {
  const units = new Map<string, number>()
  for (const wanted of asked)
    if ('sku' in wanted) units.set(wanted.sku, (units.get(wanted.sku) ?? 0) + wanted.quantity)
  const named = asked.filter((wanted) => 'qid' in wanted)
  return [...named, ...[...units].map(([sku, quantity]) => ({ sku, quantity }))]
}

/** Worded as in a CSV, up to the maximum that an answer lists. */
export function unknownQidFaults(
  asked: readonly AskedItems[],
  isKnown: (qid: string) => boolean,
): FieldErrors {
  const unknown = asked.filter(({ wanted }) => 'qid' in wanted && !isKnown(wanted.qid))
  return Object.fromEntries(unknown.slice(0, faultsMax).map(({ path }) => [path, [unknownQidMessage]]))
}

/** A repeated item is rejected, because it may be a duplicate or a typing error for another item. */
export function repeatedQidFaults(asked: readonly AskedItems[]): FieldErrors {
  const faults: FieldErrors = {}
  const first = new Map<string, string>()
  for (const { path, wanted } of asked) {
    if (!('qid' in wanted)) continue
    const before = first.get(wanted.qid)
    if (before === undefined) first.set(wanted.qid, path)
    else faults[path] = [`is the same item as ${before}; name each item once`]
  }
  return Object.fromEntries(Object.entries(faults).slice(0, faultsMax))
}

/** A field that the schema rejected is `undefined` here, and counts as given. */
function itemFaults(body: Given<FulfillmentCreate>, knowsSku: (sku: string) => boolean): FieldErrors {
  const hasPair = 'sku' in body || 'quantity' in body
  if ('lines' in body && ('qids' in body || hasPair))
    return { lines: ['cannot be combined with qids, sku and quantity; give one form alone'] }
  if ('qids' in body && hasPair) return mixedFaults(body)
  if (!('qids' in body || 'lines' in body || hasPair))
    return { qids: ['is required, or sku and quantity instead'] }
  const asked = itemsAsked(body)
  const faults = repeatedQidFaults(asked)
  for (const { path, wanted } of asked) {
    if ('sku' in wanted && !knowsSku(wanted.sku)) faults[path] = [unknownSkuMessage]
  }
  if (hasPair) Object.assign(faults, pairFaults(body, ''))
  for (const [at, line] of (body.lines ?? []).entries()) if (line) Object.assign(faults, lineFaults(line, at))
  const units = asked.reduce((sum, { wanted }) => sum + ('sku' in wanted ? wanted.quantity : 1), 0)
  if (body.lines && units > itemsPerOrderMax)
    faults.lines = [`ask for ${units} items; one order has at most ${itemsPerOrderMax}`]
  return faults
}

function mixedFaults(body: Given<FulfillmentCreate>): FieldErrors {
  return {
    qids: ['cannot be combined with sku and quantity; give one form or the other'],
    ...('sku' in body && { sku: ['cannot be combined with qids'] }),
    ...('quantity' in body && { quantity: ['cannot be combined with qids'] }),
  }
}

type Line = Given<NonNullable<FulfillmentCreate['lines']>[number]>

function lineFaults(line: Line, at: number): FieldErrors {
  if ('qid' in line && ('sku' in line || 'quantity' in line))
    return { [`lines[${at}].qid`]: ['cannot be combined with sku and quantity; give one form or the other'] }
  if ('qid' in line) return {}
  if (!('sku' in line) && !('quantity' in line))
    return { [`lines[${at}].qid`]: ['is required, or sku and quantity instead'] }
  return pairFaults(line, `lines[${at}].`)
}

function pairFaults(given: Pick<Line, 'sku' | 'quantity'>, prefix: string): FieldErrors {
  if (!('sku' in given)) return { [`${prefix}sku`]: ['is required with quantity'] }
  return 'quantity' in given ? {} : { [`${prefix}quantity`]: ['is required with sku'] }
}

function deliverByFault({ deliver_by }: Given<FulfillmentCreate>, today: string): FieldErrors {
  if (!deliver_by || deliver_by >= today) return {}
  return { deliver_by: [beforeToday(deliver_by, today)] }
}
