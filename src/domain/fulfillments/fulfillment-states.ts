import type {
  FulfillmentStatus,
  FulfillmentType,
  ProcessingStage,
  WebhookEventType,
} from '../../contract/enums.ts'
import type { ItemCause } from '../items/item-states.ts'

/** What the rules need to know of a fulfillment. The last two are kept beside the resource and never shown. */
export type FulfillmentState = {
  type: FulfillmentType
  status: FulfillmentStatus
  /** Null outside `processing`, and in it while nothing is picked or telemetry is missing (2.7). */
  processing_stage: ProcessingStage | null
  /** It was handed to the carrier once: its items are past `in_fulfillment` and cannot be processed again. */
  has_shipped: boolean
  /** The stage that an exception interrupted: processing resumes there, so that picked goods stay picked. */
  interrupted_stage: ProcessingStage | null
}

/** What a step changes: the type stays. */
type Standing = Omit<FulfillmentState, 'type'>

/** The state after one legal step, and what comes with it. */
export type FulfillmentStep = Standing & {
  /** Carrier, service and tracking exist from here on: those still absent are to be set. */
  label: boolean
  /** An exception sets its issue, going on from it clears it; a return keeps it, because it says why. */
  issue: 'set' | 'clear' | 'keep'
  /** What moves the items, or null when they stay as they are. */
  item_cause: ItemCause | null
  /** The fulfillment's events, in order, before its items'. A stage alone emits nothing (decisions 7). */
  events: readonly WebhookEventType[]
}

/** What else an edge asks for. */
export type FulfillmentCondition = 'before pick' | 'before shipping' | 'after shipping'
type FulfillmentEdge = {
  readonly from: FulfillmentStatus
  readonly to: FulfillmentStatus
  readonly only?: FulfillmentCondition
}

/**
 * The graph of fulfillment statuses, whole (decisions 7). The conditions on leaving `exception` follow from the items':
 * none goes from in_transit back to in_fulfillment, none from in_fulfillment to received.
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

/** A fulfillment as it is made, with its events (decisions 7, 11). */
export const createdFulfillment: Standing & Pick<FulfillmentStep, 'events'> = {
  status: 'pending',
  processing_stage: null,
  has_shipped: false,
  interrupted_stage: null,
  events: ['fulfillment.status.changed'],
}

/** Nothing is picked yet, as far as is known: a stage of null counts as not picked (3.4, decisions 11). */
export function isBeforePick(state: Pick<FulfillmentState, 'status' | 'processing_stage'>): boolean {
  if (state.status === 'pending') return true
  return state.status === 'processing' && state.processing_stage === null
}

/** Whether its items name it in `active_fulfillment_id`: until delivery, cancel or return (decisions 11). */
export function holdsItems(status: FulfillmentStatus): boolean {
  return status !== 'delivered' && status !== 'cancelled' && status !== 'returned'
}

/** The fulfillment as it stands after a step. */
export function stateAfter(state: Pick<FulfillmentState, 'type'>, step: Standing): FulfillmentState {
  const { status, processing_stage, has_shipped, interrupted_stage } = step
  return { type: state.type, status, processing_stage, has_shipped, interrupted_stage }
}

/** Two states with the same key allow the same. */
export function stateKey(state: FulfillmentState): string {
  const { type, status, processing_stage, has_shipped, interrupted_stage } = state
  return JSON.stringify([type, status, processing_stage, has_shipped, interrupted_stage])
}
