import type { Json } from '../../contract/call.ts'
import type { ItemStatus } from '../../contract/enums.ts'
import type { BodyOf } from '../../contract/operations.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import { type AdvanceStep, planItemAdvance } from '../../domain/advance.ts'
import { fixtureAddress } from '../../domain/fulfillments/fixture-address.ts'
import {
  type FulfillmentTarget,
  planAdvance,
  targetFaults,
} from '../../domain/fulfillments/fulfillment-advance.ts'
import type { FulfillmentDraft } from '../../domain/fulfillments/fulfillment-request.ts'
import { type IdentifiedOrder, identified } from '../../domain/fulfillments/order-identity.ts'
import type { Given } from '../../domain/given.ts'
import type { FieldErrors } from '../../domain/rejection.ts'
import {
  type FulfillmentRecord,
  findFulfillment,
  findLastFulfillmentId,
} from '../../store/tables/fulfillments.ts'
import type { ItemRecord } from '../../store/tables/items.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'
import { loadFulfillment, openFulfillment, stateOf, takeStep } from '../fulfillments/shipping.ts'
import { moveTransfer, openTransfer } from '../fulfillments/transfers.ts'
import { attachImagery, storeItem } from '../fulfillments/warehouse-shipping.ts'
import { getItem, loadItem } from '../items/items.ts'

/** POST /sandbox/items/{qid}/advance (4.3): the shortest legal path, as in production; companions move too (decisions 8, 11). */
export async function advanceItem(
  work: UnitOfWork,
  { params, body }: { params: { qid: string }; body: { to_status: ItemStatus } },
): Promise<Json<Item>> {
  const record = await loadItem(work, params.qid)
  const fulfillment = await fulfillmentOf(work, record)
  const state = { status: record.item.status, fulfillment: fulfillment ? stateOf(fulfillment) : null }
  for (const step of planItemAdvance(state, body.to_status)) await takeItemStep(work, record.item.qid, step)
  return getItem(work, { params: { qid: record.item.qid } })
}

/** POST /sandbox/fulfillments/{fulfillment_id}/advance (decisions 10, 11): also by the shortest legal path. */
export async function advanceFulfillment(
  work: UnitOfWork,
  { params, body }: { params: { fulfillment_id: string }; body: BodyOf<'advanceFulfillment'> },
): Promise<Json<Fulfillment>> {
  const record = await loadFulfillment(work, params.fulfillment_id)
  let saved = { record, doc: '' }
  for (const step of planAdvance(stateOf(record), targetOf(body) as FulfillmentTarget)) {
    saved = await takeStep(work, saved.record, step, { issue: body.issue })
  }
  return saved.doc
}

/** Faults beyond the schema. The fulfillment's state is checked only if there are none. */
export async function fulfillmentAdvanceFaults(
  { tx, scope }: ReadContext,
  id: string,
  body: Given<BodyOf<'advanceFulfillment'>>,
): Promise<FieldErrors> {
  const record = await findFulfillment(tx, scope.id, id)
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
export async function resolveTransfer(
  work: UnitOfWork,
  { params, body }: { params: { transfer_id: string }; body: BodyOf<'resolveTransfer'> },
): Promise<Json<Transfer>> {
  return moveTransfer(work, params.transfer_id, body.to_status)
}

async function takeItemStep(work: UnitOfWork, qid: string, step: AdvanceStep): Promise<object | string> {
  const record = await loadItem(work, qid)
  switch (step.action) {
    case 'attach_imagery':
      return attachImagery(work, qid)
    case 'store':
      return storeItem(work, qid)
    case 'create_fulfillment':
      return openFulfillment(work, fixtureOrder(work, step.type, qid), [record])
    case 'move_fulfillment':
      return takeStep(work, (await fulfillmentOf(work, record)) as FulfillmentRecord, step.step)
    case 'create_transfer':
      return openTransfer(work, null, [record])
    case 'move_transfer':
      return moveTransfer(work, record.transfer_id as string, step.to)
  }
}

async function fulfillmentOf(
  view: ReadContext,
  { item }: ItemRecord,
): Promise<FulfillmentRecord | undefined> {
  const { tx, scope } = view
  const id = item.active_fulfillment_id ?? (await deliveredBy(view, item))
  return id === undefined ? undefined : findFulfillment(tx, scope.id, id)
}

async function deliveredBy({ tx, scope }: ReadContext, { qid, status }: Item): Promise<string | undefined> {
  if (status !== 'delivered' && status !== 'withdrawn') return undefined
  return findLastFulfillmentId(tx, scope.id, qid)
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
