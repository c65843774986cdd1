import type { FulfillmentStatus, ProcessingStage } from '../../contract/enums.ts'
import { conflict, type Refusal } from '../refusal.ts'
import type { FulfillmentState, FulfillmentStep } from './fulfillment-states.ts'
import { stageSteps, statusStep } from './fulfillment-steps.ts'

/** Cancels before pick (3.4). Throws a conflict in every other state, in `exception` always (decisions 7, 11). */
export function planCancel(state: FulfillmentState): FulfillmentStep {
  const step = statusStep(state, 'cancelled')
  if (step === null) throw tooLate(state)
  return step
}

/** One step to a status, as the warehouse reports it. Throws a conflict when it is not legal now (decisions 7). */
export function planMove(state: FulfillmentState, to: FulfillmentStatus): FulfillmentStep {
  const step = statusStep(state, to)
  if (state.status === to) throw conflict(`This fulfillment is already ${to}.`, standing(state))
  if (step === null) throw notLegal(state, `cannot become ${to}`)
  return step
}

/** One step to a stage. Throws a conflict outside `processing` and when the stage is behind or at the current one. */
export function planStage(state: FulfillmentState, stage: ProcessingStage): FulfillmentStep {
  const step = stageSteps(state).find((candidate) => candidate.processing_stage === stage)
  if (step === undefined) throw notLegal(state, `cannot come to ${stage}`)
  return step
}

function tooLate(state: FulfillmentState): Refusal {
  return conflict(tooLateMessage(state.status), standing(state))
}

function tooLateMessage(status: FulfillmentStatus): string {
  if (status === 'exception')
    return 'This fulfillment has an open issue, which the warehouse must resolve first.'
  if (status === 'processing') return 'This fulfillment is already past pick and can no longer be cancelled.'
  return `This fulfillment is already ${status} and can no longer be cancelled.`
}

function notLegal(state: FulfillmentState, what: string): Refusal {
  const stage = state.processing_stage === null ? '' : ` (${state.processing_stage})`
  return conflict(`This fulfillment is ${state.status}${stage} and ${what}.`, standing(state))
}

function standing(state: FulfillmentState): Record<string, unknown> {
  return { status: state.status, processing_stage: state.processing_stage }
}
