import { json } from '../../contract/call.ts'
import type { BodyOf } from '../../contract/operations.ts'
import type { Item } from '../../contract/resources/item.ts'
import { type AdvanceStep, planItemAdvance } from '../../domain/advance.ts'
import {
  type FulfillmentTarget,
  fixtureAddress,
  planAdvance,
  targetFaults,
} from '../../domain/fulfillments/fulfillment-advance.ts'
import type { FulfillmentDraft } from '../../domain/fulfillments/fulfillment-csv.ts'
import { type IdentifiedOrder, identified } from '../../domain/fulfillments/order-identity.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { existing, type FieldErrors, type Given } from '../../domain/rejection.ts'
import {
  type FulfillmentRecord,
  findFulfillment,
  findLastFulfillmentId,
} from '../../store/tables/fulfillments.ts'
import { findItem, type ItemRecord } from '../../store/tables/items.ts'
import type { Opener, ReadContext, UnitOfWork } from '../context.ts'
import { openFulfillment, stateOf, takeStep } from '../fulfillments/shipping.ts'
import { endTransfer, moveTransfer, openTransfer } from '../fulfillments/transfers.ts'
import { attachPictures, putOnShelf } from '../fulfillments/warehouse-shipping.ts'
import { loadItem } from '../items/items.ts'

/** POST /sandbox/items/{qid}/advance (4.3): the shortest legal path, as in production; companions move too (decisions 8, 11). */
export const advanceItem: Opener<'advanceItem'> = async (view, { params, body }) => {
  const qid = canonicalQid(params.qid)
  const found = qid === null ? undefined : await findItem(view.tx, qid)
  return async (work) => {
    let record = existing(found)
    const fulfillment = await fulfillmentOf(work, record)
    const state = { status: record.item.status, fulfillment: fulfillment ? stateOf(fulfillment) : null }
    for (const step of planItemAdvance(state, body.to_status))
      record = (await takeItemStep(work, record, step)) ?? (await loadItem(work, record.item.qid))
    return json(record.item)
  }
}

/** POST /sandbox/fulfillments/{fulfillment_id}/advance (decisions 10, 11): also by the shortest legal path. */
export const advanceFulfillment: Opener<'advanceFulfillment'> = async ({ tx }, { params, body }) => {
  const found = await findFulfillment(tx, params.fulfillment_id.toLowerCase())
  return async (work) => {
    const record = existing(found)
    let saved = { record, doc: '' }
    for (const step of planAdvance(stateOf(record), targetOf(body) as FulfillmentTarget)) {
      saved = await takeStep(work, saved.record, step, { issue: body.issue })
    }
    return saved.doc
  }
}

/** Faults beyond the schema. The fulfillment's state is checked only if there are none. */
export async function fulfillmentAdvanceFaults(
  { tx }: ReadContext,
  id: string,
  body: Given<BodyOf<'advanceFulfillment'>>,
): Promise<FieldErrors> {
  const record = await findFulfillment(tx, id)
  return targetFaults(record && stateOf(record), targetOf(body))
}

function targetOf(body: Given<BodyOf<'advanceFulfillment'>>): Given<FulfillmentTarget> {
  return {
    ...('to_status' in body && { status: body.to_status }),
    ...('to_stage' in body && { stage: body.to_stage }),
    ...('issue' in body && { issue: body.issue }),
  }
}

/** POST /sandbox/transfers/{transfer_id}/resolve (decisions 10) */
export const resolveTransfer: Opener<'resolveTransfer'> = (view, { params, body }) =>
  endTransfer(view, params.transfer_id, body.to_status)

/** The moved item, if the step is about it alone. */
async function takeItemStep(
  work: UnitOfWork,
  record: ItemRecord,
  step: AdvanceStep,
): Promise<ItemRecord | undefined> {
  switch (step.action) {
    case 'attach_imagery':
      return attachPictures(work, record)
    case 'store':
      return putOnShelf(work, record)
    case 'create_fulfillment':
      await openFulfillment(work, fixtureOrder(work, step.type, record.item.qid), [record])
      return undefined
    case 'move_fulfillment':
      await takeStep(work, (await fulfillmentOf(work, record)) as FulfillmentRecord, step.step)
      return undefined
    case 'create_transfer':
      await openTransfer(work, null, [record])
      return undefined
    case 'move_transfer':
      await moveTransfer(work, record.transfer_id as string, step.to)
      return undefined
  }
}

async function fulfillmentOf(
  view: ReadContext,
  { item }: ItemRecord,
): Promise<FulfillmentRecord | undefined> {
  const { tx } = view
  const id = item.active_fulfillment_id ?? (await deliveredBy(view, item))
  return id === undefined ? undefined : findFulfillment(tx, id)
}

async function deliveredBy({ tx }: ReadContext, { qid, status }: Item): Promise<string | undefined> {
  if (status !== 'delivered' && status !== 'withdrawn') return undefined
  return findLastFulfillmentId(tx, qid)
}

function fixtureOrder(work: UnitOfWork, type: FulfillmentDraft['type'], qid: string): IdentifiedOrder {
  const draft = {
    shipping_address: fixtureAddress(work.settings.servedCountries),
    type,
    external_ref: null,
    special_instructions: null,
    deliver_by: null,
  }
  return identified({ wanted: [{ qid }], isWhole: false, draft })
}
