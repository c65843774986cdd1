import type { FulfillmentStatus, ProcessingStage, TransferStatus } from '../../contract/enums.ts'
import { conflict, type Rejection } from '../rejection.ts'
import { type FulfillmentState, type FulfillmentStep, stageSteps, statusStep } from './fulfillment-states.ts'

/** Cancels before pick (3.4). Throws a conflict in every other state, always in `exception` (decisions 7, 11). */
export function planCancel(state: FulfillmentState): FulfillmentStep {
  const step = statusStep(state, 'cancelled')
  if (step === null) throw tooLate(state)
  return step
}

/** One step as the warehouse reports it. Throws a conflict if it is not legal now (decisions 7). */
export function planMove(state: FulfillmentState, to: FulfillmentStatus): FulfillmentStep {
  const step = statusStep(state, to)
  if (state.status === to) throw conflict(`This fulfillment is already ${to}.`, standing(state))
  if (step === null) throw notLegal(state, `cannot become ${to}`)
  return step
}

/** Throws a conflict outside `processing`, and if the stage is not after the current one. */
export function planStage(state: FulfillmentState, stage: ProcessingStage): FulfillmentStep {
  const step = stageSteps(state).find((candidate) => candidate.processing_stage === stage)
  if (step === undefined) throw notLegal(state, `cannot move to ${stage}`)
  return step
}

function tooLate(state: FulfillmentState): Rejection {
  return conflict(tooLateMessage(state.status), standing(state))
}

function tooLateMessage(status: FulfillmentStatus): string {
  if (status === 'exception')
    return 'This fulfillment has an open issue, which the warehouse must resolve first.'
  if (status === 'processing') return 'This fulfillment is already past pick and can no longer be cancelled.'
  return `This fulfillment is already ${status} and can no longer be cancelled.`
}

function notLegal(state: FulfillmentState, what: string): Rejection {
  const stage = state.processing_stage === null ? '' : ` (${state.processing_stage})`
  return conflict(`This fulfillment is ${state.status}${stage} and ${what}.`, standing(state))
}

function standing(state: FulfillmentState): Record<string, unknown> {
  return { status: state.status, processing_stage: state.processing_stage }
}

export type ShippingLabel = {
  carrier: string
  service: string
  tracking_number: string
  tracking_url: string | null
}

type LabelKind = { carrier: string; service: string; prefix: string; digits: number }

/** The warehouse is in the United States: domestic parcels go by ground. */
const domesticLabels: readonly LabelKind[] = [
  { carrier: 'usps', service: 'usps_ground_advantage', prefix: '94001', digits: 17 },
  { carrier: 'ups', service: 'ups_ground', prefix: '1Z', digits: 16 },
  { carrier: 'fedex', service: 'fedex_ground', prefix: '7', digits: 11 },
]
const internationalLabels: readonly LabelKind[] = [
  { carrier: 'dhl', service: 'dhl_express_worldwide', prefix: '', digits: 10 },
  { carrier: 'fedex', service: 'fedex_international_priority', prefix: '8', digits: 11 },
  { carrier: 'ups', service: 'ups_worldwide_saver', prefix: '1Z', digits: 16 },
]

export const labelRandomBytes = 18

/** The number looks like the carrier's own, but the URL is not the carrier's: a made-up number could be somebody's parcel. */
export function simulatedLabel(country: string, random: Uint8Array): ShippingLabel {
  const kinds = country === 'US' ? domesticLabels : internationalLabels
  const kind = kinds[(random[0] as number) % kinds.length] as LabelKind
  const digits = [...random.subarray(1, 1 + kind.digits)].map((byte) => byte % 10).join('')
  const tracking_number = `${kind.prefix}${digits}`
  return {
    carrier: kind.carrier,
    service: kind.service,
    tracking_number,
    tracking_url: `https://tracking.custody.example/${kind.carrier}/${tracking_number}`,
  }
}

/** The whole graph of transfer statuses (decisions 7). */
export const transferEdges: ReadonlyArray<{ readonly from: TransferStatus; readonly to: TransferStatus }> = [
  { from: 'requested', to: 'completed' },
  { from: 'requested', to: 'declined' },
  { from: 'requested', to: 'cancelled' },
]

/** Throws a conflict unless the transfer is requested. */
export function rejectTransferMove(from: TransferStatus, to: TransferStatus): void {
  if (transferEdges.some((edge) => edge.from === from && edge.to === to)) return
  const why = from === to ? `already ${from}` : `${from} and cannot become ${to}`
  throw conflict(`This transfer is ${why}.`, { status: from })
}
