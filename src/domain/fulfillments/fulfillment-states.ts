import {
  type FulfillmentStatus,
  type FulfillmentType,
  type ProcessingStage,
  processingStages,
  type WebhookEventType,
} from '../../contract/enums.ts'
import type { ItemCause } from '../items/item-states.ts'

/** The last two fields are stored with the resource and never shown. */
export type FulfillmentState = {
  type: FulfillmentType
  status: FulfillmentStatus
  /** Null outside `processing`, and within it while nothing is picked or telemetry is missing (2.7). */
  processing_stage: ProcessingStage | null
  /** The carrier has received it: its items are past `in_fulfillment` and cannot be processed again. */
  has_shipped: boolean
  /** The stage that an exception interrupted: processing resumes there, so that picked goods stay picked. */
  interrupted_stage: ProcessingStage | null
}

type Standing = Omit<FulfillmentState, 'type'>

export type FulfillmentStep = Standing & {
  /** From this step on, carrier, service and tracking exist: the engine sets missing ones. */
  label: boolean
  /** An exception sets the issue, and resolving it clears the issue; a return keeps the issue, because it says why. */
  issue: 'set' | 'clear' | 'keep'
  /** Moves the items; null if they stay. */
  item_cause: ItemCause | null
  /** The fulfillment's events, in order, before its items'. A stage alone emits none (decisions 7). */
  events: readonly WebhookEventType[]
}

type FulfillmentCondition = 'before pick' | 'before shipping' | 'after shipping'
type FulfillmentEdge = {
  readonly from: FulfillmentStatus
  readonly to: FulfillmentStatus
  readonly only?: FulfillmentCondition
}

/**
 * The whole graph (decisions 7). The items' graph sets the conditions on leaving `exception`: no item goes from in_transit back
 * to in_fulfillment, none from in_fulfillment to received.
 */
export const fulfillmentEdges: readonly FulfillmentEdge[] = [
  { from: 'pending', to: 'processing' },
  { from: 'pending', to: 'cancelled' },
  { from: 'pending', to: 'exception' },
  { from: 'processing', to: 'shipped' },
  { from: 'processing', to: 'cancelled', only: 'before pick' },
  { from: 'processing', to: 'exception' },
  { from: 'shipped', to: 'delivered' },
  { from: 'shipped', to: 'returned' },
  { from: 'shipped', to: 'exception' },
  { from: 'delivered', to: 'returned' },
  { from: 'exception', to: 'processing', only: 'before shipping' },
  { from: 'exception', to: 'shipped' },
  { from: 'exception', to: 'returned', only: 'after shipping' },
]

export const createdFulfillment: Standing & Pick<FulfillmentStep, 'events'> = {
  status: 'pending',
  processing_stage: null,
  has_shipped: false,
  interrupted_stage: null,
  events: ['fulfillment.status.changed'],
}

/** A stage of null counts as not picked (3.4, decisions 11). */
export function isBeforePick(state: Pick<FulfillmentState, 'status' | 'processing_stage'>): boolean {
  if (state.status === 'pending') return true
  return state.status === 'processing' && state.processing_stage === null
}

/** Whether its items name it in `active_fulfillment_id`: until it is delivered, cancelled or returned (decisions 11). */
export function holdsItems(status: FulfillmentStatus): boolean {
  return status !== 'delivered' && status !== 'cancelled' && status !== 'returned'
}

export function stateAfter(state: Pick<FulfillmentState, 'type'>, step: Standing): FulfillmentState {
  const { status, processing_stage, has_shipped, interrupted_stage } = step
  return { type: state.type, status, processing_stage, has_shipped, interrupted_stage }
}

export function stateKey(state: FulfillmentState): string {
  const { type, status, processing_stage, has_shipped, interrupted_stage } = state
  return JSON.stringify([type, status, processing_stage, has_shipped, interrupted_stage])
}

/** Changes of status in the order of the graph, then later stages. */
export function stepsFrom(state: FulfillmentState): FulfillmentStep[] {
  const changes = fulfillmentEdges
    .filter((edge) => edge.from === state.status)
    .map((edge) => statusStep(state, edge.to))
  return [...changes.filter((step) => step !== null), ...stageSteps(state)]
}

export function statusStep(state: FulfillmentState, to: FulfillmentStatus): FulfillmentStep | null {
  const edge = fulfillmentEdges.find((candidate) => candidate.from === state.status && candidate.to === to)
  if (edge === undefined || !isMet(edge.only, state)) return null
  const after = {
    status: to,
    processing_stage: to === 'processing' ? state.interrupted_stage : null,
    has_shipped: state.has_shipped || to === 'shipped',
    interrupted_stage: to === 'exception' ? state.processing_stage : null,
  }
  return {
    ...after,
    label: hasLabel(after),
    issue: issueChange(state.status, to),
    item_cause: itemCause(state, to),
    events: eventTypes(to),
  }
}

/** Stages run in the order of the enum; telemetry may skip one, but never goes back (2.7). */
export function stageSteps(state: FulfillmentState): FulfillmentStep[] {
  if (state.status !== 'processing') return []
  const { type: _, ...kept } = state
  return processingStages.slice(stageRank(state.processing_stage) + 1).map((stage) => {
    const after = { ...kept, processing_stage: stage }
    return { ...after, label: hasLabel(after), issue: 'keep', item_cause: null, events: [] }
  })
}

function isMet(condition: FulfillmentCondition | undefined, state: FulfillmentState): boolean {
  switch (condition) {
    case undefined:
      return true
    case 'before pick':
      return isBeforePick(state)
    case 'before shipping':
      return !state.has_shipped
    case 'after shipping':
      return state.has_shipped
  }
}

/** A label is printed at `labeled`, or at the latest when the carrier takes the parcel (2.7, decisions 7). */
function hasLabel(state: Omit<FulfillmentState, 'type'>): boolean {
  if (state.has_shipped) return true
  const stage = state.processing_stage ?? state.interrupted_stage
  return stageRank(stage) >= stageRank('labeled')
}

/** -1 before the first stage. */
function stageRank(stage: ProcessingStage | null): number {
  return (processingStages as ReadonlyArray<ProcessingStage | null>).indexOf(stage)
}

function issueChange(from: FulfillmentStatus, to: FulfillmentStatus): FulfillmentStep['issue'] {
  if (to === 'exception') return 'set'
  return from === 'exception' && to !== 'returned' ? 'clear' : 'keep'
}

/** The effect of a new status on the items (decisions 7). */
function itemCause(state: FulfillmentState, to: FulfillmentStatus): ItemCause | null {
  if (to === 'cancelled') return 'fulfillment_cancelled'
  // Resumes after an exception on the way: the items never left transit.
  if (to === 'shipped') return state.has_shipped ? null : 'fulfillment_shipped'
  if (to === 'delivered') return state.type === 'withdrawal' ? 'withdrawal_delivered' : 'standard_delivered'
  return to === 'returned' ? 'fulfillment_returned' : null
}

function eventTypes(to: FulfillmentStatus): readonly WebhookEventType[] {
  if (to === 'exception') return ['fulfillment.status.changed', 'fulfillment.issue.raised']
  if (to === 'returned') return ['fulfillment.status.changed', 'fulfillment.returned']
  return ['fulfillment.status.changed']
}
