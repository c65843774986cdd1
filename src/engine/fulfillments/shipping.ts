import { type Json, json } from '../../contract/call.ts'
import type { Fulfillment, FulfillmentIssue, ShippingAddress } from '../../contract/resources/fulfillment.ts'
import {
  labelRandomBytes,
  type ShippingLabel,
  simulatedLabel,
} from '../../domain/fulfillments/fulfillment.ts'
import {
  createdFulfillment,
  type FulfillmentState,
  type FulfillmentStep,
  holdsItems,
} from '../../domain/fulfillments/fulfillment-states.ts'
import type { IdentifiedOrder } from '../../domain/fulfillments/order-identity.ts'
import type { ItemCause } from '../../domain/items/item-states.ts'
import { assert, existing, invalid } from '../../domain/rejection.ts'
import {
  type FulfillmentRecord,
  findFulfillment,
  insertFulfillments,
  saveFulfillment,
} from '../../store/tables/fulfillments.ts'
import type { ItemRecord } from '../../store/tables/items.ts'
import { insertOrderIdentities } from '../../store/tables/order-identities.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'
import { intakeChange, recordIntakes } from '../intake/intakes.ts'
import { type ItemChange, movedItem, saveItems } from '../items/items.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { itemsOf } from './stock-allocation.ts'

export type StepDetails = {
  /** For a step that raises an issue. */
  issue?: Omit<FulfillmentIssue, 'occurred_at'> | undefined
  /** For a step that attaches a label; a sandbox invents one. */
  label?: ShippingLabel | undefined
}

type SavedFulfillment = { record: FulfillmentRecord; doc: Json<Fulfillment> }

/** `id` in any case. Throws `not_found`. */
export async function loadFulfillment(view: ReadContext, id: string): Promise<FulfillmentRecord> {
  return existing(await findFulfillment(view.tx, id.toLowerCase()))
}

export function stateOf({
  fulfillment,
  has_shipped,
  interrupted_stage,
}: FulfillmentRecord): FulfillmentState {
  const { type, status, processing_stage } = fulfillment
  return { type, status, processing_stage, has_shipped, interrupted_stage }
}

/** Not saved yet; `items`: its items after the change. */
export type OpenedFulfillment = SavedFulfillment & { identity: string; items: ItemChange[] }

/** The caller has checked that the items are available. */
export async function openFulfillment(
  work: UnitOfWork,
  sent: IdentifiedOrder,
  items: readonly ItemRecord[],
): Promise<SavedFulfillment> {
  const opened = openedFulfillment(work, sent, items)
  await saveOpened(work, [opened])
  return opened
}

export async function saveOpened(work: UnitOfWork, opened: readonly OpenedFulfillment[]): Promise<void> {
  const { tx } = work
  await insertFulfillments(tx, opened)
  await insertOrderIdentities(
    tx,
    opened.map(({ identity, record }) => ({ identity, fulfillment_id: record.fulfillment.id })),
  )
  await saveItems(
    work,
    opened.flatMap(({ items }) => items),
  )
}

/** The caller saves it. */
export function openedFulfillment(
  work: UnitOfWork,
  sent: IdentifiedOrder,
  items: readonly ItemRecord[],
): OpenedFulfillment {
  const { draft } = sent
  const { status, processing_stage, has_shipped, interrupted_stage, events } = createdFulfillment
  const qids = items.map(({ item }) => item.qid)
  assert(qids.length > 0, 'an order has items', draft.external_ref)
  assert(new Set(qids).size === qids.length, 'an order has each item once', qids)
  for (const { item, transfer_id } of items) {
    assert(item.status === 'available', 'an ordered item was available', item.qid, item.status)
    assert(item.active_fulfillment_id === null, 'an ordered item was on no order', item.qid)
    assert(transfer_id === null, 'an ordered item was in no transfer', item.qid, transfer_id)
  }
  const fulfillment: Fulfillment = {
    id: work.newId(),
    qids,
    status,
    processing_stage,
    shipping_address: draft.shipping_address,
    carrier: null,
    service: null,
    tracking_number: null,
    tracking_url: null,
    issue: null,
    external_ref: draft.external_ref,
    created_at: work.now,
    updated_at: work.now,
    type: draft.type,
    special_instructions: draft.special_instructions,
    deliver_by: draft.deliver_by,
    verified_address_id: null,
  }
  const record = { fulfillment, has_shipped, interrupted_stage }
  const doc = json(fulfillment)
  work.count('fulfillments', status, 1)
  for (const type of events) work.emit(type, doc)
  const moved = items.map((each) => moveFor(work, fulfillment, each, 'fulfillment_created'))
  return { record, doc, identity: sent.identity, items: moved }
}

/**
 * Takes a planned step: saves the fulfillment and emits its events, then moves its items and emits theirs (decisions 7, 11).
 * Throws `invalid` if a needed label is missing; `targetFaults` checks issues.
 */
export async function takeStep(
  work: UnitOfWork,
  before: FulfillmentRecord,
  step: FulfillmentStep,
  details: StepDetails = {},
): Promise<SavedFulfillment> {
  const { status, processing_stage, has_shipped, interrupted_stage } = step
  const fulfillment: Fulfillment = {
    ...before.fulfillment,
    status,
    processing_stage,
    updated_at: work.now,
    ...(step.label ? labelFor(work, before.fulfillment, details.label) : undefined),
    ...issueChange(work, step.issue, details.issue),
  }
  const { id, created_at } = fulfillment
  assert(work.now >= created_at, 'an order never changes before its creation', id, created_at, work.now)
  assert(before.fulfillment.qids.length > 0, 'an order has items', id)
  assert(has_shipped || !before.has_shipped, 'a shipped order stays shipped', id, status)
  assert(status !== 'shipped' || fulfillment.carrier !== null, 'a shipped order has a carrier', id)
  assert(status !== 'exception' || fulfillment.issue !== null, 'an exception has an issue', id)
  assert(before.fulfillment.status !== 'cancelled', 'a cancelled order stays cancelled', id, status)
  const record = { fulfillment, has_shipped, interrupted_stage }
  const doc = json(fulfillment)
  await saveFulfillment(work.tx, record, doc)
  work.count('fulfillments', before.fulfillment.status, -1)
  work.count('fulfillments', status, 1)
  for (const type of step.events) work.emit(type, doc)
  if (step.item_cause) {
    const items = await itemsOf(work, fulfillment.qids)
    assert(items.length === fulfillment.qids.length, 'every item of an order exists', id)
    await moveItems(work, fulfillment, items, step.item_cause)
  }
  return { record, doc }
}

async function moveItems(
  work: UnitOfWork,
  fulfillment: Fulfillment,
  items: readonly ItemRecord[],
  cause: ItemCause,
): Promise<void> {
  for (const record of items) {
    const moved = moveFor(work, fulfillment, record, cause)
    await saveItems(work, [moved])
    if (cause === 'fulfillment_returned') await recordIntakes(work, [moved])
    await yieldToEventLoop()
  }
}

/** An item names its fulfillment while the fulfillment holds it (decisions 11). The caller saves the item. */
function moveFor(
  work: UnitOfWork,
  { id, status }: Fulfillment,
  record: ItemRecord,
  cause: ItemCause,
): ItemChange {
  const active = record.item.active_fulfillment_id
  assert(active === null || active === id, 'an item is on this order alone', record.item.qid, active, id)
  const change = { item: { active_fulfillment_id: holdsItems(status) ? id : null } }
  const moved = movedItem(work, record, cause, cause === 'fulfillment_returned' ? intakeChange(work) : change)
  const { qid, status: now, active_fulfillment_id: held } = moved.record.item
  const isOnOrder = now === 'in_fulfillment' || now === 'in_transit'
  assert(isOnOrder === (held !== null), 'an item names the order that holds it', qid, now, held)
  return moved
}

/** A warehouse reports the carrier's label, or a new one after an issue; only a sandbox may invent one. */
function labelFor(
  work: UnitOfWork,
  fulfillment: Fulfillment,
  given: ShippingLabel | undefined,
): ShippingLabel | undefined {
  if (given || fulfillment.carrier !== null) return given
  if (work.scope.environment === 'sandbox') {
    const { country } = fulfillment.shipping_address as ShippingAddress
    return simulatedLabel(country, work.random(labelRandomBytes))
  }
  const required = ['is required: the carrier needs a label by now']
  throw invalid({ carrier: required, service: required, tracking_number: required })
}

function issueChange(
  work: UnitOfWork,
  change: FulfillmentStep['issue'],
  given: StepDetails['issue'],
): Pick<Fulfillment, 'issue'> | undefined {
  if (change === 'keep') return undefined
  if (change === 'clear') return { issue: null }
  const { code, message } = given as NonNullable<typeof given>
  return { issue: { code, message, occurred_at: work.now } }
}
