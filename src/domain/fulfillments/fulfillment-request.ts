import { faultsMax } from '../../contract/limits.ts'
import type { Fulfillment, FulfillmentCreate } from '../../contract/resources/fulfillment.ts'
import type { Given } from '../given.ts'
import { canonicalQid } from '../items/qid.ts'
import { type FieldErrors, invalid, Refusal } from '../refusal.ts'
import { checkDestination, type DestinationFault } from './destinations.ts'
import type { FulfillmentContext, FulfillmentRow, RequestedItems } from './fulfillment-csv.ts'

/** What a partner decides about a fulfillment beside its items. */
export type FulfillmentDraft = Pick<
  Fulfillment,
  'shipping_address' | 'type' | 'external_ref' | 'special_instructions' | 'deliver_by'
>

/** What POST /fulfillments asks for; QIDs as they were sent. */
export type FulfillmentRequest = {
  items: { qids: string[] } | WantedUnits
  draft: FulfillmentDraft & Pick<FulfillmentRow, 'shipping_address'>
}
type WantedUnits = Exclude<RequestedItems, { qid: string }>

/** What is wrong with a request, beside what its form tells. */
export type RequestFaults = { fields: FieldErrors; destination: DestinationFault | null }

/** What the rules of a request need to know of the database. */
type RequestContext = FulfillmentContext & { skuIsKnown: boolean }

/**
 * The body of POST /fulfillments by every rule that needs no look-up, and `skuIsKnown`, which the engine has looked up
 * (decisions 5, 10, 11).
 */
export function fulfillmentFaults(body: Given<FulfillmentCreate>, context: RequestContext): RequestFaults {
  const fields = { ...itemFaults(body, context.skuIsKnown), ...deliverByFault(body, context.today) }
  const { country, state = '', zip = '' } = body.shipping_address ?? {}
  const destination =
    country === undefined ? null : checkDestination({ country, state, zip }, context.countriesServed).fault
  for (const [name, messages] of Object.entries(destination?.fields ?? {})) {
    fields[`shipping_address.${name}`] = messages
  }
  return { fields, destination }
}

/** Throws one refusal that names every fault; `unsupported_destination` where that is the only one. */
export function refuseFulfillment(faults: RequestFaults): void {
  const { fields } = faults
  if (Object.keys(fields).length === 0) return
  if (isUnserved(faults)) {
    throw new Refusal('unsupported_destination', 'This destination is not served.', { fields })
  }
  throw invalid(fields)
}

/** Nothing is wrong but that the destination is not served, which has a code of its own. */
function isUnserved({ fields, destination }: RequestFaults): boolean {
  if (destination?.code !== 'unsupported_destination') return false
  return Object.keys(fields).length === Object.keys(destination.fields).length
}

/** What a body without faults asks for. */
export function fulfillmentRequest(
  body: FulfillmentCreate,
  { countriesServed }: Pick<FulfillmentContext, 'countriesServed'>,
): FulfillmentRequest {
  const { shipping_address: sent } = body
  const { country, state, zip } = checkDestination(sent, countriesServed)
  const { recipient_name, street, street_2 = null, city } = sent
  const draft: FulfillmentRequest['draft'] = {
    shipping_address: { recipient_name, street, street_2, city, state, zip, country },
    type: body.type,
    external_ref: body.external_ref ?? null,
    special_instructions: body.special_instructions ?? null,
    deliver_by: body.deliver_by ?? null,
  }
  const { qids, sku, quantity } = body
  return { items: qids ? { qids } : ({ sku, quantity } as WantedUnits), draft }
}

/** The same item twice in one order is one of two mistakes, and nobody can tell which. */
export function repeatedQidFaults(qids: ReadonlyArray<string | undefined>): FieldErrors {
  const faults: FieldErrors = {}
  const first = new Map<string, number>()
  for (const [index, sent] of qids.entries()) {
    if (sent === undefined) continue
    const qid = canonicalQid(sent) ?? sent
    const before = first.get(qid)
    if (before === undefined) first.set(qid, index)
    else faults[`qids[${index}]`] = [`is the item of qids[${before}] again; name each item once`]
  }
  return Object.fromEntries(Object.entries(faults).slice(0, faultsMax))
}

/** A field that is there and has a fault of form is `undefined` here: it was given all the same. */
function itemFaults(body: Given<FulfillmentCreate>, skuIsKnown: boolean): FieldErrors {
  const { qids, sku } = body
  const has = (name: 'qids' | 'sku' | 'quantity') => name in body
  const faults: FieldErrors = {}
  if (has('qids') && (has('sku') || has('quantity'))) {
    faults.qids = ['cannot stand beside sku and quantity; give one form or the other']
    if (has('sku')) faults.sku = ['cannot stand beside qids']
    if (has('quantity')) faults.quantity = ['cannot stand beside qids']
    return faults
  }
  if (has('qids')) return repeatedQidFaults(qids ?? [])
  if (!has('sku') && !has('quantity')) return { qids: ['is required, or sku and quantity instead'] }
  if (!has('sku')) faults.sku = ['is required beside quantity']
  else if (sku !== undefined && !skuIsKnown)
    faults.sku = ['is not in the catalog; create the product first, or correct the SKU']
  if (!has('quantity')) faults.quantity = ['is required beside sku']
  return faults
}

function deliverByFault({ deliver_by }: Given<FulfillmentCreate>, today: string): FieldErrors {
  if (!deliver_by || deliver_by >= today) return {}
  return { deliver_by: [`must not be before today, ${today} (UTC)`] }
}
