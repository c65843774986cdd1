import {
  addressFieldMax,
  faultsMax,
  instructionsMax,
  itemsPerOrderMax,
  refMax,
} from '../../contract/limits.ts'
import type { Fulfillment, FulfillmentCreate, ShippingAddress } from '../../contract/resources/fulfillment.ts'
import { cell, optionalQuantity, optionalText, requiredText } from '../csv/csv-cells.ts'
import { type CsvColumns, quoted } from '../csv/csv-header.ts'
import {
  addFault,
  type RowCheck,
  type RowChecker,
  rowChecker,
  unknownQidMessage,
  unknownSkuMessage,
} from '../csv/csv-row.ts'
import { canonicalQid } from '../items/qid.ts'
import { type FieldErrors, type Given, invalid, Rejection } from '../rejection.ts'
import { isCalendarDate } from '../utc-time.ts'
import { checkDestination, type DestinationFault } from './destinations.ts'

export type RequestedItems = { qid: string } | { sku: string; quantity: number }

export type FulfillmentRow = Omit<FulfillmentDraft, 'type'> & {
  items: RequestedItems
  shipping_address: ShippingAddress
}

/** `today`: the UTC date of the scope's clock, as in 2026-01-31. */
export interface FulfillmentContext {
  today: string
  countriesServed: ReadonlySet<string>
}

export const addressNames = [
  'recipient_name',
  'street',
  'street_2',
  'city',
  'state',
  'zip',
  'country',
] as const
const termNames = ['external_ref', 'special_instructions', 'deliver_by'] as const
const names = ['qid', 'sku', 'quantity', ...addressNames, ...termNames] as const
type Row = RowCheck<(typeof names)[number]>

export const fulfillmentColumns: CsvColumns = {
  known: names,
  required: addressNames.filter((name) => name !== 'street_2'),
}

/** Rules that need no database (4.4, decisions 5). A malformed QID gets the same error as an unknown one. */
export function fulfillmentChecker(
  header: readonly string[],
  context: FulfillmentContext,
): RowChecker<FulfillmentRow> {
  return rowChecker(header, (row) => readFulfillment(row, context))
}

function readFulfillment(row: Row, context: FulfillmentContext): FulfillmentRow {
  const items = readItems(row)
  return {
    items,
    shipping_address: readAddress(row, context.countriesServed),
    external_ref: optionalText(row, 'external_ref', refMax),
    special_instructions: optionalText(row, 'special_instructions', instructionsMax),
    deliver_by: readDeliverBy(row, context.today),
  }
}

function readItems(row: Row): RequestedItems {
  const qid = cell(row, 'qid')
  const sku = optionalText(row, 'sku', refMax)
  const quantity = optionalQuantity(row, itemsPerOrderMax)
  if (qid !== null) {
    if (sku !== null || quantity !== null) rejectBothForms(row, sku, quantity)
    return { qid: readQid(row, qid) }
  }
  if (sku === null && quantity === null) {
    addFault(row, 'qid', 'is required, or sku and quantity instead')
  } else if (sku === null) addFault(row, 'sku', 'is required with quantity')
  else if (quantity === null) addFault(row, 'quantity', 'is required with sku')
  return { sku: sku ?? '', quantity: quantity ?? 0 }
}

/** The readable items of a row with errors; null if nothing can be looked up. */
export function askedFor(items: RequestedItems, faults: FieldErrors): RequestedItems | null {
  if ('qid' in items) return faults.qid === undefined ? items : null
  if (items.sku === '' || faults.sku !== undefined) return null
  return faults.quantity === undefined ? items : { ...items, quantity: 0 }
}

function rejectBothForms(row: RowCheck, sku: string | null, quantity: number | null): void {
  addFault(row, 'qid', 'cannot be combined with sku and quantity: a row gives one form or the other')
  if (sku !== null) addFault(row, 'sku', 'cannot be combined with qid')
  if (quantity !== null) addFault(row, 'quantity', 'cannot be combined with qid')
}

function readQid(row: RowCheck, text: string): string {
  const qid = canonicalQid(text)
  if (qid === null) addFault(row, 'qid', unknownQidMessage, 'not_found')
  return qid ?? text
}

function readAddress(row: Row, served: ReadonlySet<string>): ShippingAddress {
  const address = {
    recipient_name: requiredText(row, 'recipient_name', addressFieldMax),
    street: requiredText(row, 'street', addressFieldMax),
    street_2: optionalText(row, 'street_2', addressFieldMax),
    city: requiredText(row, 'city', addressFieldMax),
    state: requiredText(row, 'state', addressFieldMax),
    zip: requiredText(row, 'zip', addressFieldMax),
    country: requiredText(row, 'country', addressFieldMax),
  }
  const { country, state, zip, fault } = checkDestination(address, served)
  for (const [field, messages] of Object.entries(fault?.fields ?? {})) {
    // A cell that is empty or too long already has an error.
    if (row.fields?.[field] === undefined)
      for (const text of messages) addFault(row, field, text, fault?.code)
  }
  return { ...address, country, state, zip }
}

function readDeliverBy(row: Row, today: string): string | null {
  const date = cell(row, 'deliver_by')
  if (date === null) return null
  if (!isCalendarDate(date)) addFault(row, 'deliver_by', `${quoted(date)} is not a date such as 2026-01-31`)
  else if (date < today) addFault(row, 'deliver_by', beforeToday(date, today))
  return date
}

function beforeToday(date: string, today: string): string {
  return `${date} is before today, ${today} (UTC)`
}

/** Whether the faults may be due to time alone: then the order may have been placed before, and be a repeat. */
export function mayBeOfTime(faults: FieldErrors): boolean {
  return Object.keys(faults).every((name) => /^(deliver_by|(shipping_address\.)?country)$/.test(name))
}

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
    faults.lines = [`must come to at most ${itemsPerOrderMax} in one order, not ${units}`]
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
