import {
  type FulfillmentType,
  type ItemStatus,
  itemStatuses,
  type TransferStatus,
} from '../contract/enums.ts'
import { transferEdges } from './fulfillments/fulfillment.ts'
import {
  createdFulfillment,
  type FulfillmentState,
  type FulfillmentStep,
  stateAfter,
  stateKey,
  stepsFrom,
} from './fulfillments/fulfillment-states.ts'
import { nextItemStatus } from './items/item-states.ts'
import { invalid, type Rejection } from './rejection.ts'
import { type Move, type Walks, walksOf } from './shortest-path.ts'

export type AdvanceState = {
  status: ItemStatus
  /** The fulfillment that holds the item, or the last that did. */
  fulfillment: FulfillmentState | null
}

export type AdvanceStep =
  | { action: 'attach_imagery' }
  | { action: 'store' }
  | { action: 'create_fulfillment'; type: FulfillmentType }
  | { action: 'move_fulfillment'; step: FulfillmentStep }
  | { action: 'create_transfer' }
  | { action: 'move_transfer'; to: TransferStatus }

type AdvanceMove = Move<AdvanceState, AdvanceStep>

/** The shortest legal path (3.3, decisions 8, 11); items of the same fulfillment or transfer move along. Throws `invalid` if there is none. */
export function planItemAdvance(state: AdvanceState, to: ItemStatus): readonly AdvanceStep[] {
  const walks = itemWalks(state)
  const walk = walks.find((candidate) => candidate.state.status === to)
  if (walk === undefined || to === state.status || isBarred(state, to)) throw unreachable(state, to, walks)
  return walk.steps
}

/** Nearest first; among equals, a standard fulfillment and a cancelled transfer come first. */
const itemWalks = walksOf(movesFrom, ({ status, fulfillment }: AdvanceState) =>
  fulfillment === null ? status : `${status} ${stateKey(fulfillment)}`,
)

/** A fulfillment that holds an item is not undone to create one of the other type (decisions 11). */
function isBarred(state: AdvanceState, to: ItemStatus): boolean {
  if (state.status !== 'in_fulfillment' && state.status !== 'in_transit') return false
  const type = state.fulfillment?.type
  return (type === 'standard' && to === 'withdrawn') || (type === 'withdrawal' && to === 'delivered')
}

function movesFrom(state: AdvanceState): AdvanceMove[] {
  switch (state.status) {
    case 'received':
      return [move({ action: 'attach_imagery' }, nextItemStatus('received', 'imagery_attached'))]
    case 'digitized':
      return [move({ action: 'store' }, nextItemStatus('digitized', 'stored'))]
    case 'available':
      return [create('standard'), create('withdrawal'), requestTransfer()]
    case 'pending_transfer':
      return transferMoves()
    case 'in_fulfillment':
    case 'in_transit':
    case 'delivered':
    case 'withdrawn':
      return state.fulfillment === null ? [] : fulfillmentMoves(state.status, state.fulfillment)
    case 'released':
      return []
  }
}

function create(type: FulfillmentType): AdvanceMove {
  const status = nextItemStatus('available', 'fulfillment_created')
  const fulfillment = stateAfter({ type }, createdFulfillment)
  return { step: { action: 'create_fulfillment', type }, to: { status, fulfillment } }
}

function requestTransfer(): AdvanceMove {
  return move({ action: 'create_transfer' }, nextItemStatus('available', 'transfer_requested'))
}

/** Lists `cancelled` before `declined`: among equal paths, the one that a partner can take itself comes first. */
function transferMoves(): AdvanceMove[] {
  return transferEdges
    .map((edge) => edge.to)
    .reverse()
    .map((to) => move({ action: 'move_transfer', to }, nextItemStatus('pending_transfer', `transfer_${to}`)))
}

/** A shortest path has no exceptions or stages, because they do not move the item. */
function fulfillmentMoves(status: ItemStatus, fulfillment: FulfillmentState): AdvanceMove[] {
  return stepsFrom(fulfillment).map((step) => {
    const next = step.item_cause === null ? status : nextItemStatus(status, step.item_cause)
    return {
      step: { action: 'move_fulfillment', step },
      to: { status: next, fulfillment: stateAfter(fulfillment, step) },
    }
  })
}

function move(step: AdvanceStep, status: ItemStatus): AdvanceMove {
  return { step, to: { status, fulfillment: null } }
}

function unreachable(
  state: AdvanceState,
  to: ItemStatus,
  walks: Walks<AdvanceState, AdvanceStep>,
): Rejection {
  const reachable = itemStatuses.filter((status) => {
    return (
      status !== state.status &&
      !isBarred(state, status) &&
      walks.some((walk) => walk.state.status === status)
    )
  })
  const why = to === state.status ? 'is already the status' : `cannot be reached from ${state.status}`
  return invalid({ to_status: [`"${to}" ${why}`] }, undefined, { from: state.status, to, reachable })
}
