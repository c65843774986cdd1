import type { ResultOf } from '../../contract/operations.ts'
import type { CsvRepeatedRow, CsvRowError } from '../../contract/resources/error.ts'
import type { Fulfillment, FulfillmentCreate } from '../../contract/resources/fulfillment.ts'
import { readCsv } from '../csv/csv-file.ts'
import { withFault } from '../csv/csv-row.ts'
import {
  askedFor,
  type FulfillmentContext,
  fulfillmentChecker,
  fulfillmentColumns,
  fulfillmentFaults,
  fulfillmentRequest,
  itemsAsked,
  mayBeOfTime,
  orderOfRow,
  type RequestedItems,
  rejectFulfillment,
  type SentOrder,
  unknownQidFaults,
} from './fulfillment-csv.ts'
import {
  identified,
  type Repetition,
  repetitionAmong,
  repetitionConflict,
  repetitionOfRow,
} from './order-identity.ts'
import { orderShortage, rowShortage, type Shortage } from './shortage.ts'

/** Stock, items, and earlier orders that decide a dry run. Each order that passes takes from the stock. */
export type OrderStock = {
  skus: ReadonlySet<string>
  available: Map<string, number>
  items: Map<string, { sku: string | null; status: string }>
  /** By reference in the Unicode form NFC. */
  byReference: ReadonlyMap<string | undefined, readonly Fulfillment[]>
  byIdentity: ReadonlyMap<string, readonly Fulfillment[]>
}

/** Returns the answer that POST /fulfillments/csv would give. */
export function tryRows(
  file: Uint8Array,
  context: FulfillmentContext,
  stock: OrderStock | undefined,
  skips: boolean,
): ResultOf<'importFulfillmentsCsv'> {
  const { header, rows } = readCsv(file, fulfillmentColumns)
  const { accepted, rejected, readable } = fulfillmentChecker(header, context)(rows)
  const created: Fulfillment[] = []
  const repeated: CsvRepeatedRow[] = []
  const errors: CsvRowError[] = []
  for (const error of rejected) {
    const value = readable.get(error)
    const order = value && skips && mayBeOfTime(error.fields) ? orderOfRow(value) : undefined
    const known = order && repetitionOf(stock, order)
    const wanted = value && askedFor(value.items, error.fields)
    const lack = wanted && shortageOf(stock, wanted)
    const found = order && known?.kind === 'repeated' ? repetitionOfRow(error.row, order, known) : undefined
    if (found && 'repeated' in found) repeated.push(found.repeated)
    else errors.push(lack ? withFault(error, rowShortage(error.row, lack)) : error)
  }
  for (const { row, value } of accepted) {
    const order = orderOfRow(value)
    const known = skips ? repetitionOf(stock, order) : undefined
    const lack = known ? undefined : shortageOf(stock, value.items)
    const found = known && repetitionOfRow(row, order, known)
    if (found && 'repeated' in found) repeated.push(found.repeated)
    else if (found || lack) errors.push(found ? found.error : rowShortage(row, lack as Shortage))
    else {
      take(stock, order.wanted)
      created.push({ id: '', created_at: '' } as Fulfillment)
    }
  }
  const totals = {
    created: created.length,
    failed: errors.length,
    submitted: accepted.length + rejected.length,
  }
  return { created, errors, repeated, totals }
}

/** Tries an order as POST /fulfillments would: throws its rejection, or returns the order that it repeats, if any. */
export function tryOrder(
  body: FulfillmentCreate,
  context: FulfillmentContext,
  stock: OrderStock | undefined,
  skips: boolean,
): Fulfillment | undefined {
  const faults = fulfillmentFaults(body, { ...context, knowsSku: (sku) => stock?.skus.has(sku) ?? true })
  const unknown = unknownQidFaults(itemsAsked(body), (qid) => stock?.items.has(qid) ?? true)
  const isFaulty = Object.keys(faults.fields).length > 0
  const order = fulfillmentRequest(body, context)
  const known = skips && mayBeOfTime(faults.fields) ? repetitionOf(stock, order) : undefined
  if (known?.kind === 'repeated') return known.earlier
  rejectFulfillment(isFaulty ? { ...faults, fields: { ...unknown, ...faults.fields } } : faults)
  if (known) throw repetitionConflict(order, known)
  const named = new Set(order.wanted.flatMap((each) => ('qid' in each ? each.qid : [])))
  const lacks = order.wanted.flatMap((each) => shortageOf(stock, each, named) ?? [])
  if (lacks.length > 0) throw orderShortage(lacks)
  take(stock, order.wanted)
  return undefined
}

function repetitionOf(stock: OrderStock | undefined, order: SentOrder): Repetition | undefined {
  if (!stock) return undefined
  const earlier = order.isWhole
    ? (stock.byReference.get(order.draft.external_ref?.normalize()) ?? [])
    : identified(order).compared.flatMap((identity) => stock.byIdentity.get(identity) ?? [])
  return repetitionAmong(order, earlier, (qid) => stock.items.get(qid)?.sku ?? undefined)
}

/** `named`: items that the same order names by QID. */
function shortageOf(
  stock: OrderStock | undefined,
  wanted: RequestedItems,
  named: ReadonlySet<string> = new Set(),
): Shortage | undefined {
  if (!stock) return undefined
  if ('qid' in wanted) {
    const { qid } = wanted
    const status = stock.items.get(qid)?.status
    if (status === undefined) return { kind: 'unknown_qid' }
    return status === 'available' ? undefined : { kind: 'unavailable', qid, status }
  }
  const { sku, quantity: requested } = wanted
  if (!stock.skus.has(sku)) return { kind: 'unknown_sku', sku }
  const taken = [...named].map((qid) => stock.items.get(qid)).filter((item) => item?.sku === sku)
  const free = (stock.available.get(sku) ?? 0) - taken.filter((item) => item?.status === 'available').length
  return free < requested ? { kind: 'too_few', sku, requested, available: free } : undefined
}

function take(stock: OrderStock | undefined, wanted: readonly RequestedItems[]): void {
  if (!stock) return
  const use = (sku: string, units: number): void => {
    stock.available.set(sku, (stock.available.get(sku) ?? 0) - units)
  }
  for (const each of wanted) {
    if ('sku' in each) use(each.sku, each.quantity)
    const item = 'qid' in each ? stock.items.get(each.qid) : undefined
    if (item === undefined) continue
    item.status = 'in_fulfillment'
    if (item.sku !== null) use(item.sku, 1)
  }
}
