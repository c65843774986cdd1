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

type Step<More extends unknown[] = []> = (
  work: UnitOfWork,
  id: string,
  ...more: More
) => Promise<Json<Fulfillment>>
type LabelStep = Step<[label?: ShippingLabel]>

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
export const pickFulfillment: Step = async (work, id) => {
  let record = await loadFulfillment(work, id)
  if (record.fulfillment.status === 'pending')
    ({ record } = await takeStep(work, record, planMove(stateOf(record), 'processing')))
  return (await takeStep(work, record, planStage(stateOf(record), 'picked'))).doc
}

export const packFulfillment: Step = (work, id) => reachStage(work, id, 'packed')

export const verifyFulfillment: Step = (work, id) => reachStage(work, id, 'verified')

/** Sets carrier, service, and tracking. A sandbox invents a label if none is given. */
export const labelFulfillment: LabelStep = (work, id, label) => reachStage(work, id, 'labeled', { label })

export const queueFulfillment: LabelStep = (work, id, label) =>
  reachStage(work, id, 'queued_for_carrier', { label })

/** Its items are in transit. Needs a label if it has none yet. */
export const shipFulfillment: LabelStep = (work, id, label) => reachStatus(work, id, 'shipped', { label })

/** Its items are delivered, or withdrawn if it was a withdrawal. */
export const deliverFulfillment: Step = (work, id) => reachStatus(work, id, 'delivered')

/** Custody resumes and its items repeat intake (3.3). */
export const returnFulfillment: Step = (work, id) => reachStatus(work, id, 'returned')

/** No other step is possible until the issue is resolved. */
export const raiseIssue: Step<[issue: Omit<FulfillmentIssue, 'occurred_at'>]> = (work, id, issue) =>
  reachStatus(work, id, 'exception', { issue })

/** The fulfillment continues where it was interrupted: in processing or in transit. */
export const resolveIssue: Step = async (work, id) => {
  const record = await loadFulfillment(work, id)
  if (record.fulfillment.status !== 'exception') throw conflict('This fulfillment has no open issue.')
  const to = record.has_shipped ? 'shipped' : 'processing'
  return (await takeStep(work, record, planMove(stateOf(record), to))).doc
}

const reachStage: Step<[stage: ProcessingStage, details?: StepDetails]> = async (
  work,
  id,
  stage,
  details,
) => {
  const record = await loadFulfillment(work, id)
  return (await takeStep(work, record, planStage(stateOf(record), stage), details)).doc
}

const reachStatus: Step<[status: FulfillmentStatus, details?: StepDetails]> = async (
  work,
  id,
  status,
  details,
) => {
  const record = await loadFulfillment(work, id)
  return (await takeStep(work, record, planMove(stateOf(record), status), details)).doc
}

function requireStatus({ item }: ItemRecord, from: ItemStatus, to: ItemStatus): void {
  if (item.status === from) return
  throw conflict(`This item is ${item.status} and cannot become ${to}.`, { status: item.status })
}
