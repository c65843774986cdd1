import type { Json } from '../../contract/call.ts'
import type { FulfillmentStatus, ItemStatus, ProcessingStage } from '../../contract/enums.ts'
import type { Fulfillment, FulfillmentIssue } from '../../contract/resources/fulfillment.ts'
import type { ShippingLabel } from '../../domain/fulfillments/fulfillment.ts'
import { planMove, planStage } from '../../domain/fulfillments/fulfillment.ts'
import { slabImagery } from '../../domain/items/imagery.ts'
import { conflict } from '../../domain/rejection.ts'
import type { ItemRecord } from '../../store/tables/items.ts'
import type { UnitOfWork } from '../context.ts'
import { loadItem, moveItem } from '../items/items.ts'
import { loadFulfillment, type StepDetails, stateOf, takeStep } from './shipping.ts'

/** received -> digitized (decisions 7). A slab gets its own pictures; a product keeps the catalog's (2.5). */
export async function attachImagery(work: UnitOfWork, qid: string): Promise<ItemRecord> {
  return attachPictures(work, await loadItem(work, qid))
}

export function attachPictures(work: UnitOfWork, record: ItemRecord): Promise<ItemRecord> {
  requireStatus(record, 'received', 'digitized')
  const { type, image_assets } = record.item
  const taken = type === 'graded_slab' ? slabImagery(record.item.qid) : image_assets
  return moveItem(work, record, 'imagery_attached', { item: { image_assets: taken } })
}

/** digitized -> available (decisions 7): the item is on its shelf. */
export async function storeItem(work: UnitOfWork, qid: string): Promise<ItemRecord> {
  return putOnShelf(work, await loadItem(work, qid))
}

export function putOnShelf(work: UnitOfWork, record: ItemRecord): Promise<ItemRecord> {
  requireStatus(record, 'digitized', 'available')
  return moveItem(work, record, 'stored')
}

/** Starts a pending fulfillment if needed. From this stage on it cannot be cancelled (3.4). */
export async function pickFulfillment(work: UnitOfWork, id: string): Promise<Json<Fulfillment>> {
  let record = await loadFulfillment(work, id)
  if (record.fulfillment.status === 'pending')
    ({ record } = await takeStep(work, record, planMove(stateOf(record), 'processing')))
  return (await takeStep(work, record, planStage(stateOf(record), 'picked'))).doc
}

export function packFulfillment(work: UnitOfWork, id: string): Promise<Json<Fulfillment>> {
  return reachStage(work, id, 'packed')
}

export function verifyFulfillment(work: UnitOfWork, id: string): Promise<Json<Fulfillment>> {
  return reachStage(work, id, 'verified')
}

/** Sets carrier, service, and tracking. A sandbox invents a label if none is given. */
export function labelFulfillment(
  work: UnitOfWork,
  id: string,
  label?: ShippingLabel,
): Promise<Json<Fulfillment>> {
  return reachStage(work, id, 'labeled', { label })
}

export function queueFulfillment(
  work: UnitOfWork,
  id: string,
  label?: ShippingLabel,
): Promise<Json<Fulfillment>> {
  return reachStage(work, id, 'queued_for_carrier', { label })
}

/** Its items are in transit. Needs a label if it has none yet. */
export function shipFulfillment(
  work: UnitOfWork,
  id: string,
  label?: ShippingLabel,
): Promise<Json<Fulfillment>> {
  return reachStatus(work, id, 'shipped', { label })
}

/** Its items are delivered, or withdrawn if it was a withdrawal. */
export function deliverFulfillment(work: UnitOfWork, id: string): Promise<Json<Fulfillment>> {
  return reachStatus(work, id, 'delivered')
}

/** Custody resumes and its items repeat intake (3.3). */
export function returnFulfillment(work: UnitOfWork, id: string): Promise<Json<Fulfillment>> {
  return reachStatus(work, id, 'returned')
}

/** No other step is possible until the issue is resolved. */
export function raiseIssue(
  work: UnitOfWork,
  id: string,
  issue: Omit<FulfillmentIssue, 'occurred_at'>,
): Promise<Json<Fulfillment>> {
  return reachStatus(work, id, 'exception', { issue })
}

/** The fulfillment continues where it was interrupted: in processing or in transit. */
export async function resolveIssue(work: UnitOfWork, id: string): Promise<Json<Fulfillment>> {
  const record = await loadFulfillment(work, id)
  if (record.fulfillment.status !== 'exception') throw conflict('This fulfillment has no open issue.')
  const to = record.has_shipped ? 'shipped' : 'processing'
  return (await takeStep(work, record, planMove(stateOf(record), to))).doc
}

async function reachStage(
  work: UnitOfWork,
  id: string,
  stage: ProcessingStage,
  details?: StepDetails,
): Promise<Json<Fulfillment>> {
  const record = await loadFulfillment(work, id)
  return (await takeStep(work, record, planStage(stateOf(record), stage), details)).doc
}

async function reachStatus(
  work: UnitOfWork,
  id: string,
  status: FulfillmentStatus,
  details?: StepDetails,
): Promise<Json<Fulfillment>> {
  const record = await loadFulfillment(work, id)
  return (await takeStep(work, record, planMove(stateOf(record), status), details)).doc
}

function requireStatus({ item }: ItemRecord, from: ItemStatus, to: ItemStatus): void {
  if (item.status === from) return
  throw conflict(`This item is ${item.status} and cannot become ${to}.`, { status: item.status })
}
