import {
  type FulfillmentStatus,
  fulfillmentStatuses,
  type ProcessingStage,
  processingStages,
} from '../../contract/enums.ts'
import type { ShippingAddress } from '../../contract/resources/fulfillment.ts'
import { type FieldErrors, type Given, invalid, type Rejection } from '../rejection.ts'
import { type Walks, walksOf } from '../shortest-path.ts'
import {
  type FulfillmentState,
  type FulfillmentStep,
  stateAfter,
  stateKey,
  stepsFrom,
} from './fulfillment-states.ts'

export type FulfillmentTarget = {
  status?: FulfillmentStatus | undefined
  stage?: ProcessingStage | undefined
  /** Only its presence matters here; the engine writes it at the step with `issue: 'set'`. */
  issue?: { code: string; message: string } | undefined
}

/** The shortest legal steps (decisions 8, 11). Throws `invalid` if there are none, or if the target makes no sense. */
export function planAdvance(state: FulfillmentState, target: FulfillmentTarget): readonly FulfillmentStep[] {
  const faults = targetFaults(state, target)
  if (Object.keys(faults).length > 0) throw invalid(faults)
  const walks = fulfillmentWalks(state)
  const walk = isAt(state, target) ? undefined : walks.find((candidate) => isAt(candidate.state, target))
  if (walk === undefined) throw unreachable(state, target, walks)
  return walk.steps
}

/** Nearest first. No path enters an exception, because among equals the graph lists the regular move first. */
const fulfillmentWalks = walksOf(
  (state: FulfillmentState) => stepsFrom(state).map((step) => ({ step, to: stateAfter(state, step) })),
  stateKey,
)

/** Errors that the schema cannot find. A field that the schema rejected is present, with the value `undefined`. */
export function targetFaults(
  state: FulfillmentState | undefined,
  target: Given<FulfillmentTarget>,
): FieldErrors {
  const faults: FieldErrors = {}
  const { status } = target
  const hasStatus = 'status' in target
  const hasStage = 'stage' in target
  const hasIssue = 'issue' in target
  if (!hasStatus && !hasStage) faults.to_status = ['is required when there is no to_stage']
  if (hasStage && status !== undefined && status !== 'processing') {
    faults.to_stage = [`is only for processing, not for ${status}`]
  }
  if (hasStage && !hasStatus && state && state.status !== 'processing') {
    faults.to_stage = [`stands alone only while processing; the fulfillment is ${state.status}`]
  }
  if (status === 'exception' && !hasIssue) faults.issue = ['is required with exception']
  if (hasIssue && status !== 'exception' && (status !== undefined || !hasStatus))
    faults.issue = ['is only for exception']
  return faults
}

function isAt(state: FulfillmentState, target: FulfillmentTarget): boolean {
  const status = target.status ?? 'processing'
  if (state.status !== status) return false
  return target.stage === undefined || state.processing_stage === target.stage
}

function unreachable(
  state: FulfillmentState,
  target: FulfillmentTarget,
  walks: Walks<FulfillmentState, FulfillmentStep>,
): Rejection {
  const reachable = fulfillmentStatuses.filter(
    (status) => status !== state.status && walks.some((walk) => walk.state.status === status),
  )
  const extra = { from: state.status, to: target.status ?? state.status, reachable }
  if (target.stage !== undefined) return unreachableStage(state, target.stage, extra, walks)
  const why = isAt(state, target) ? 'is already the status' : `cannot be reached from ${place(state)}`
  return invalid({ to_status: [`"${extra.to}" ${why}`] }, undefined, extra)
}

function unreachableStage(
  state: FulfillmentState,
  stage: ProcessingStage,
  extra: Record<string, unknown>,
  walks: Walks<FulfillmentState, FulfillmentStep>,
): Rejection {
  const isHere = state.processing_stage === stage
  const why = isHere ? 'is already the stage' : `cannot be reached from ${place(state)}`
  const reachableStages = processingStages.filter(
    (other) =>
      other !== state.processing_stage && walks.some((walk) => walk.state.processing_stage === other),
  )
  return invalid({ to_stage: [`"${stage}" ${why}`] }, undefined, {
    ...extra,
    from_stage: state.processing_stage,
    to_stage: stage,
    reachable_stages: reachableStages,
  })
}

function place(state: FulfillmentState): string {
  if (state.processing_stage !== null) return `${state.status} (${state.processing_stage})`
  return state.status
}

const fixture: ShippingAddress = {
  recipient_name: 'Sandbox Recipient',
  street: '1120 NW Couch St',
  street_2: null,
  city: 'Portland',
  state: 'OR',
  zip: '97209',
  country: 'US',
}

/** Destination of a fixture fulfillment (decisions 8): the United States if served, otherwise another served country. */
export function fixtureAddress(served: ReadonlySet<string>): ShippingAddress {
  const [first] = served
  if (first === undefined || served.has('US')) return fixture
  return { ...fixture, ...abroad(first) }
}

function abroad(country: string): Partial<ShippingAddress> {
  if (country === 'CA') return { city: 'Toronto', state: 'ON', zip: 'M5V 3L9', country }
  if (country === 'AU') return { city: 'Sydney', state: 'NSW', zip: '2000', country }
  return { city: 'Sandbox', state: 'Sandbox', zip: '10000', country }
}
