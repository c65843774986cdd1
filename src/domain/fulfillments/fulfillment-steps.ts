import {
  type FulfillmentStatus,
  type ProcessingStage,
  processingStages,
  type WebhookEventType,
} from '../../contract/enums.ts'
import type { ItemCause } from '../items/item-states.ts'
import {
  type FulfillmentCondition,
  type FulfillmentState,
  type FulfillmentStep,
  fulfillmentEdges,
  isBeforePick,
} from './fulfillment-states.ts'

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
