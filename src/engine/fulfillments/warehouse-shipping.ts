import type { Json } from '../../contract/call.ts'
import type { FulfillmentStatus, ItemStatus, ProcessingStage } from '../../contract/enums.ts'
import type { Fulfillment, FulfillmentIssue } from '../../contract/resources/fulfillment.ts'
import { planMove, planStage, type ShippingLabel } from '../../domain/fulfillments/fulfillment.ts'
import type { FulfillmentState, FulfillmentStep } from '../../domain/fulfillments/fulfillment-states.ts'
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
  const { status } = (await loadFulfillment(work, id)).fulfillment
  if (status === 'pending') await take(work, id, (state) => planMove(state, 'processing'))
  return take(work, id, (state) => planStage(state, 'picked'))
}

export const packFulfillment: Step = (work, id) => reach(work, id, 'packed')
export const verifyFulfillment: Step = (work, id) => reach(work, id, 'verified')

/** Sets carrier, service, and tracking. A sandbox invents a label if none is given. */
export const labelFulfillment: LabelStep = (work, id, label) => reach(work, id, 'labeled', label)
export const queueFulfillment: LabelStep = (work, id, label) => reach(work, id, 'queued_for_carrier', label)

/** Its items are in transit. Needs a label if it has none yet. */
export const shipFulfillment: LabelStep = (work, id, label) => become(work, id, 'shipped', label)

/** Its items are delivered, or withdrawn if it was a withdrawal. */
export const deliverFulfillment: Step = (work, id) => become(work, id, 'delivered')

/** Custody resumes and its items repeat intake (3.3). */
export const returnFulfillment: Step = (work, id) => become(work, id, 'returned')

/** No other step is possible until the issue is resolved. */
export const raiseIssue: Step<[issue: Omit<FulfillmentIssue, 'occurred_at'>]> = (work, id, issue) =>
  take(work, id, (state) => planMove(state, 'exception'), { issue })

/** The fulfillment continues where it was interrupted: in processing or in transit. */
export const resolveIssue: Step = (work, id) =>
  take(work, id, (state) => {
    if (state.status !== 'exception') throw conflict('This fulfillment has no open issue.')
    return planMove(state, state.has_shipped ? 'shipped' : 'processing')
  })

const reach: Step<[stage: ProcessingStage, label?: ShippingLabel]> = (work, id, stage, label) =>
  take(work, id, (state) => planStage(state, stage), { label })

const become: Step<[status: FulfillmentStatus, label?: ShippingLabel]> = (work, id, status, label) =>
  take(work, id, (state) => planMove(state, status), { label })

async function take(
  work: UnitOfWork,
  id: string,
  planned: (state: FulfillmentState) => FulfillmentStep,
  details: StepDetails = {},
): Promise<Json<Fulfillment>> {
  const record = await loadFulfillment(work, id)
  return (await takeStep(work, record, planned(stateOf(record)), details)).doc
}

function requireStatus({ item }: ItemRecord, from: ItemStatus, to: ItemStatus): void {
  if (item.status === from) return
  throw conflict(`This item is ${item.status} and cannot become ${to}.`, { status: item.status })
}
