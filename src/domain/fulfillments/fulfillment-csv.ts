import { addressFieldMax, instructionsMax, itemsPerOrderMax, refMax } from '../../contract/limits.ts'
import type { ShippingAddress } from '../../contract/resources/fulfillment.ts'
import { cell, optionalQuantity, optionalText, requiredText } from '../csv/csv-cells.ts'
import type { CsvColumns } from '../csv/csv-header.ts'
import { quoted } from '../csv/csv-header.ts'
import { addFault, checkRows, columnIndexes, type RowCheck, type RowChecker } from '../csv/csv-row.ts'
import { unknownQidMessage } from '../csv/csv-row-errors.ts'
import { canonicalQid } from '../items/qid.ts'
import type { FieldErrors } from '../rejection.ts'
import { isCalendarDate } from '../utc-time.ts'
import { checkDestination } from './destinations.ts'

export type RequestedItems = { qid: string } | { sku: string; quantity: number }

export interface FulfillmentRow {
  items: RequestedItems
  shipping_address: ShippingAddress
  external_ref: string | null
  special_instructions: string | null
  deliver_by: string | null
}

/** `today`: the UTC date of the scope's clock, as in 2026-01-31. */
export interface FulfillmentContext {
  today: string
  countriesServed: ReadonlySet<string>
}

const names = [
  'qid',
  'sku',
  'quantity',
  'recipient_name',
  'street',
  'street_2',
  'city',
  'state',
  'zip',
  'country',
  'external_ref',
  'special_instructions',
  'deliver_by',
] as const
type Indexes = Record<(typeof names)[number], number>

/** The columns of POST /fulfillments/csv (4.4). */
export const fulfillmentColumns: CsvColumns = {
  known: names,
  required: ['recipient_name', 'street', 'city', 'state', 'zip', 'country'],
}

/** Rules that need no database (4.4, decisions 5). A malformed QID gets the same error as an unknown one. */
export function fulfillmentChecker(
  header: readonly string[],
  context: FulfillmentContext,
): RowChecker<FulfillmentRow> {
  const at = columnIndexes(header, names)
  return (rows) => checkRows(header.length, rows, (row) => readFulfillment(row, at, context))
}

function readFulfillment(row: RowCheck, at: Indexes, context: FulfillmentContext): FulfillmentRow {
  const items = readItems(row, at)
  return {
    items,
    shipping_address: readAddress(row, at, context.countriesServed),
    external_ref: optionalText(row, 'external_ref', at.external_ref, refMax),
    special_instructions: optionalText(row, 'special_instructions', at.special_instructions, instructionsMax),
    deliver_by: readDeliverBy(row, at.deliver_by, context.today),
  }
}

function readItems(row: RowCheck, at: Indexes): RequestedItems {
  const qid = cell(row, at.qid)
  const sku = optionalText(row, 'sku', at.sku, refMax)
  const quantity = optionalQuantity(row, at.quantity, itemsPerOrderMax)
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

function readAddress(row: RowCheck, at: Indexes, served: ReadonlySet<string>): ShippingAddress {
  const address = {
    recipient_name: requiredText(row, 'recipient_name', at.recipient_name, addressFieldMax),
    street: requiredText(row, 'street', at.street, addressFieldMax),
    street_2: optionalText(row, 'street_2', at.street_2, addressFieldMax),
    city: requiredText(row, 'city', at.city, addressFieldMax),
    state: requiredText(row, 'state', at.state, addressFieldMax),
    zip: requiredText(row, 'zip', at.zip, addressFieldMax),
    country: requiredText(row, 'country', at.country, addressFieldMax),
  }
  const { country, state, zip, fault } = checkDestination(address, served)
  for (const [field, messages] of Object.entries(fault?.fields ?? {})) {
    // A cell that is empty or too long already has an error.
    if (row.fields?.[field] === undefined)
      for (const text of messages) addFault(row, field, text, fault?.code)
  }
  return { ...address, country, state, zip }
}

function readDeliverBy(row: RowCheck, index: number, today: string): string | null {
  const date = cell(row, index)
  if (date === null) return null
  if (!isCalendarDate(date)) addFault(row, 'deliver_by', `${quoted(date)} is not a date such as 2026-01-31`)
  else if (date < today) addFault(row, 'deliver_by', beforeToday(date, today))
  return date
}

export function beforeToday(date: string, today: string): string {
  return `${date} is before today, ${today} (UTC)`
}
