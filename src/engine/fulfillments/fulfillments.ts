import { json } from '../../contract/call.ts'
import { refsAtOnceMax } from '../../contract/limits.ts'
import type { FulfillmentCreate } from '../../contract/resources/fulfillment.ts'
import { planCancel } from '../../domain/fulfillments/fulfillment.ts'
import {
  fulfillmentFaults,
  fulfillmentRequest,
  itemsAsked,
  mayBeOfTime,
  type RequestFaults,
  rejectFulfillment,
  unknownQidFaults,
} from '../../domain/fulfillments/fulfillment-csv.ts'
import { identified, repetitionConflict } from '../../domain/fulfillments/order-identity.ts'
import { existing, type Given } from '../../domain/rejection.ts'
import { listDocs } from '../../store/tables/documents.ts'
import { findFulfillment, fulfillmentFilters } from '../../store/tables/fulfillments.ts'
import { type Handler, loadDoc, type Opener, sliceOf, type TimedReadContext, textsIn } from '../context.ts'
import { findRepetitions, Repeated } from '../repeats.ts'
import { openFulfillment, stateOf, takeStep } from './shipping.ts'
import { type Shelf, stockShelf, takeAll } from './stock-allocation.ts'

/** GET /fulfillments (decisions 10): newest first. An unknown QID lists nothing. */
export const listFulfillments: Handler<'listFulfillments', 'query'> = async (view, { query }) => {
  if (query.external_refs !== undefined) textsIn('external_refs', query.external_refs, refsAtOnceMax)
  return listDocs(view.tx, 'fulfillments', fulfillmentFilters, query, sliceOf(query))
}

/** GET /fulfillments/{fulfillment_id} (4.4): a malformed id is simply not found (decisions 3). */
export const getFulfillment: Handler<'getFulfillment'> = (view, { params }) =>
  loadDoc(view, 'fulfillments', params.fulfillment_id.toLowerCase())

/** POST /fulfillments (decisions 10): by named items, or by SKU and quantity with the oldest intake first. */
export const createFulfillment: Handler<'createFulfillment'> = async (work, { body, repeats }) => {
  const { shelf, ...faults } = await checkedRequest(work, body)
  const order = identified(fulfillmentRequest(body, { countriesServed: work.settings.servedCountries }))
  const isAsked = repeats === 'skip' && mayBeOfTime(faults.fields)
  const [known] = isAsked ? await findRepetitions(work, [order]) : []
  if (known?.kind === 'repeated') throw new Repeated(json(known.earlier))
  rejectFulfillment(faults)
  if (known) throw repetitionConflict(order, known)
  return (await openFulfillment(work, order, await takeAll(work, shelf, order.wanted))).doc
}

/**
 * Faults beyond the schema, and the requested items. An unknown QID is named only among other faults (`isFaulty`: the schema
 * found some); alone it is a 404 without details (4.4).
 */
export async function checkedRequest(
  view: TimedReadContext,
  body: Given<FulfillmentCreate>,
  isFaulty = false,
): Promise<RequestFaults & { shelf: Shelf }> {
  const asked = itemsAsked(body)
  const shelf = await stockShelf(view, asked)
  const faults = fulfillmentFaults(body, {
    today: view.now.slice(0, 10),
    countriesServed: view.settings.servedCountries,
    knowsSku: (sku) => Boolean(shelf.skus.get(sku)),
  })
  if (!isFaulty && Object.keys(faults.fields).length === 0) return { ...faults, shelf }
  return {
    ...faults,
    shelf,
    fields: { ...unknownQidFaults(asked, (qid) => shelf.items.has(qid)), ...faults.fields },
  }
}

/** POST /fulfillments/{fulfillment_id}/cancel (3.4): before pick; its items become available again. */
export const cancelFulfillment: Opener<'cancelFulfillment'> = async ({ tx }, { params }) => {
  const found = await findFulfillment(tx, params.fulfillment_id.toLowerCase())
  return async (work) => {
    const record = existing(found)
    return (await takeStep(work, record, planCancel(stateOf(record)))).doc
  }
}
