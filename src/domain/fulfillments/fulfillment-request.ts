import { faultsMax } from '../../contract/limits.ts'
import type { Fulfillment, FulfillmentCreate, ShippingAddress } from '../../contract/resources/fulfillment.ts'
import { canonicalQid } from '../items/qid.ts'
import { type FieldErrors, invalid, Refusal } from '../refusal.ts'
import { checkDestination, type DestinationFault } from './destinations.ts'
import type { FulfillmentContext, RequestedItems } from './fulfillment-csv.ts'

/** What a partner decides about a fulfillment beside its items. */
export type FulfillmentDraft = Pick<
  Fulfillment,
  'shipping_address' | 'type' | 'external_ref' | 'special_instructions' | 'deliver_by'
>

/** What POST /fulfillments asks for; QIDs as they were sent. */
type FulfillmentRequest = { items: { qids: string[] } | WantedUnits; draft: FulfillmentDraft }
type WantedUnits = Exclude<RequestedItems, { qid: string }>

/**
 * Checks the body of POST /fulfillments by every rule that needs no look-up, and `skuIsKnown`, which the engine has looked up
 * (decisions 5, 10, 11). Throws one refusal that names every fault; `unsupported_destination` where that is the only one.
 */
export function checkFulfillmentRequest(
  body: FulfillmentCreate,
  context: FulfillmentContext & { skuIsKnown: boolean },
): FulfillmentRequest {
  const { address, fault } = checkAddress(body, context.countriesServed)
  const fields = { ...itemFaults(body, context.skuIsKnown), ...deliverByFault(body, context.today) }
  refuseFaults(fields, fault)
  const draft: FulfillmentDraft = {
    shipping_address: address,
    type: body.type,
    external_ref: body.external_ref ?? null,
    special_instructions: body.special_instructions ?? null,
    deliver_by: body.deliver_by ?? null,
  }
  const items = body.qids ? { qids: body.qids } : { sku: body.sku ?? '', quantity: body.quantity ?? 0 }
  return { items, draft }
}

/** The same item twice in one order is one of two mistakes, and nobody can tell which. */
export function repeatedQidFaults(qids: readonly string[]): FieldErrors {
  const faults: FieldErrors = {}
  const first = new Map<string, number>()
  for (const [index, sent] of qids.entries()) {
    const qid = canonicalQid(sent) ?? sent
    const before = first.get(qid)
    if (before === undefined) first.set(qid, index)
    else faults[`qids[${index}]`] = [`is the item of qids[${before}] again; name each item once`]
  }
  return Object.fromEntries(Object.entries(faults).slice(0, faultsMax))
}

function itemFaults({ qids, sku, quantity }: FulfillmentCreate, skuIsKnown: boolean): FieldErrors {
  const faults: FieldErrors = {}
  if (qids && (sku !== undefined || quantity !== undefined)) {
    faults.qids = ['cannot stand beside sku and quantity; give one form or the other']
    if (sku !== undefined) faults.sku = ['cannot stand beside qids']
    if (quantity !== undefined) faults.quantity = ['cannot stand beside qids']
    return faults
  }
  if (qids) return repeatedQidFaults(qids)
  if (sku === undefined && quantity === undefined) {
    return { qids: ['is required, or sku and quantity instead'] }
  }
  if (sku === undefined) faults.sku = ['is required beside quantity']
  else if (!skuIsKnown) faults.sku = ['is not in the catalog; create the product first, or correct the SKU']
  if (quantity === undefined) faults.quantity = ['is required beside sku']
  return faults
}

function deliverByFault({ deliver_by }: FulfillmentCreate, today: string): FieldErrors {
  if (!deliver_by || deliver_by >= today) return {}
  return { deliver_by: [`must not be before today, ${today} (UTC)`] }
}

function checkAddress(
  { shipping_address: sent }: FulfillmentCreate,
  served: ReadonlySet<string>,
): { address: ShippingAddress; fault: DestinationFault | null } {
  const { country, state, zip, fault } = checkDestination(sent, served)
  const { recipient_name, street, street_2 = null, city } = sent
  return { address: { recipient_name, street, street_2, city, state, zip, country }, fault }
}

function refuseFaults(fields: FieldErrors, destination: DestinationFault | null): void {
  const found = Object.keys(fields).length > 0
  for (const [name, messages] of Object.entries(destination?.fields ?? {})) {
    fields[`shipping_address.${name}`] = messages
  }
  if (destination?.code === 'unsupported_destination' && !found) {
    throw new Refusal('unsupported_destination', 'This destination is not served.', { fields })
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
}
