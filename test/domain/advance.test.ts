import { describe, expect, test } from 'vitest'
import { type ItemStatus, itemStatuses } from '../../src/contract/enums.ts'
import { type AdvanceState, type AdvanceStep, planItemAdvance } from '../../src/domain/advance.ts'
import type { FulfillmentState } from '../../src/domain/fulfillments/fulfillment-states.ts'
import { nextItemStatus } from '../../src/domain/items/item-states.ts'
import { Rejection } from '../../src/domain/rejection.ts'
import { everyFulfillmentState, fulfillmentIn } from '../support/fulfillment-states.ts'
import { fewestSteps } from '../support/item-model.ts'
import { canMove } from '../support/item-moves.ts'

/** Every state of an item, with what holds or delivered it. */
const everyState: AdvanceState[] = [
  ...(['received', 'digitized', 'available', 'pending_transfer', 'released'] as const).map(alone),
  ...everyFulfillmentState
    .filter(({ status }) => status !== 'cancelled' && status !== 'returned')
    .map((fulfillment) => ({ status: statusIn(fulfillment), fulfillment })),
]

function alone(status: ItemStatus): AdvanceState {
  return { status, fulfillment: null }
}

function held(differing: Partial<FulfillmentState>): AdvanceState {
  const fulfillment = fulfillmentIn(differing)
  return { status: statusIn(fulfillment), fulfillment }
}

function statusIn({ type, status, has_shipped }: FulfillmentState): ItemStatus {
  if (status === 'delivered') return type === 'standard' ? 'delivered' : 'withdrawn'
  return has_shipped ? 'in_transit' : 'in_fulfillment'
}

/** Ruling 11, and its mirror image. */
function isBarred({ status, fulfillment }: AdvanceState, to: ItemStatus): boolean {
  const isHeld = status === 'in_fulfillment' || status === 'in_transit'
  return isHeld && to === (fulfillment?.type === 'standard' ? 'withdrawn' : 'delivered')
}

function inWords(step: AdvanceStep): string {
  if (step.action === 'create_fulfillment') return `create ${step.type}`
  if (step.action === 'move_fulfillment') return step.step.status
  if (step.action === 'move_transfer') return `transfer ${step.to}`
  return step.action
}

function statusAfter(step: AdvanceStep, before: ItemStatus): ItemStatus {
  switch (step.action) {
    case 'attach_imagery':
      return 'digitized'
    case 'store':
      return 'available'
    case 'create_fulfillment':
      return 'in_fulfillment'
    case 'create_transfer':
      return 'pending_transfer'
    case 'move_transfer':
      return step.to === 'completed' ? 'released' : 'available'
    case 'move_fulfillment':
      return step.step.item_cause === null ? before : nextItemStatus(before, step.step.item_cause)
  }
}

function path(state: AdvanceState, to: ItemStatus): string {
  return planItemAdvance(state, to).map(inWords).join(', ')
}

function rejectionOf(state: AdvanceState, to: ItemStatus): Rejection {
  try {
    planItemAdvance(state, to)
  } catch (thrown) {
    if (thrown instanceof Rejection) return thrown
    throw thrown
  }
  throw new Error('nothing was rejected')
}

const cases = everyState.flatMap((state) =>
  itemStatuses.map((to) => ({ state, to, fewest: fewestSteps(state, to) })),
)
const walkable = cases.filter(({ state, to, fewest }) => {
  return to !== state.status && !isBarred(state, to) && fewest < Number.POSITIVE_INFINITY
})

describe('the path of an item advance (3.3, decisions 8, 11)', () => {
  test('leads nowhere for an item in an unknown fulfillment', () => {
    const { code, extra } = rejectionOf({ status: 'in_fulfillment', fulfillment: null }, 'withdrawn')
    expect([code, extra.reachable]).toEqual(['validation_error', []])
  })

  test('is the shortest, from every state to every status', () => {
    expect(walkable.length).toBeGreaterThan(150)
    for (const { state, to, fewest } of walkable) {
      expect(planItemAdvance(state, to), `${JSON.stringify(state)} to ${to}`).toHaveLength(fewest)
    }
  })

  test('follows legal edges to the requested status, and each step counts', () => {
    for (const { state, to } of walkable) {
      let at = state.status
      for (const step of planItemAdvance(state, to)) {
        const next = statusAfter(step, at)
        if (next !== at) expect(canMove(at, next), `${at} to ${next}`).toBe(true)
        at = next
      }
      expect(at).toBe(to)
    }
  })

  test.each([
    ['received', 'available', 'attach_imagery, store'],
    ['received', 'delivered', 'attach_imagery, store, create standard, processing, shipped, delivered'],
    ['available', 'in_fulfillment', 'create standard'],
    ['available', 'in_transit', 'create standard, processing, shipped'],
    ['available', 'delivered', 'create standard, processing, shipped, delivered'],
    ['available', 'withdrawn', 'create withdrawal, processing, shipped, delivered'],
    ['available', 'received', 'create standard, processing, shipped, returned'],
    ['available', 'pending_transfer', 'create_transfer'],
    ['available', 'released', 'create_transfer, transfer completed'],
    ['pending_transfer', 'available', 'transfer cancelled'],
    ['pending_transfer', 'released', 'transfer completed'],
    ['pending_transfer', 'in_fulfillment', 'transfer cancelled, create standard'],
  ] as const)('%s to %s: %s', (from, to, expected) => {
    expect(path(alone(from), to)).toBe(expected)
  })

  test.each([
    ['before pick it is cancelled', {}, 'cancelled'],
    ['processing without a stage is before pick', { status: 'processing' }, 'cancelled'],
    [
      'past pick it goes out and comes back',
      { status: 'processing', processing_stage: 'picked' },
      'shipped, returned, attach_imagery, store',
    ],
    ['an exception before pick is resolved first', { status: 'exception' }, 'processing, cancelled'],
    [
      'an exception past pick ships and comes back',
      { status: 'exception', interrupted_stage: 'packed' },
      'shipped, returned, attach_imagery, store',
    ],
    [
      'an exception on the way comes back at once',
      { status: 'exception', has_shipped: true },
      'returned, attach_imagery, store',
    ],
    ['on the way', { status: 'shipped', has_shipped: true }, 'returned, attach_imagery, store'],
    ['delivered', { status: 'delivered', has_shipped: true }, 'returned, attach_imagery, store'],
  ] as Array<[string, Partial<FulfillmentState>, string]>)('to available: %s', (_, differing, expected) => {
    expect(path(held(differing), 'available')).toBe(expected)
  })
})

describe('an item advance', () => {
  test('rejects the same status, unreachable ones, and barred ones, and names from, to, and exactly the reachable ones', () => {
    const isWalkable = (state: AdvanceState, to: ItemStatus) =>
      walkable.some((each) => each.state === state && each.to === to)
    for (const { state, to } of cases.filter((each) => !isWalkable(each.state, each.to))) {
      const { code, extra } = rejectionOf(state, to)
      expect(code).toBe('validation_error')
      expect(extra).toMatchObject({
        from: state.status,
        to,
        reachable: itemStatuses.filter((status) => isWalkable(state, status)),
      })
    }
  })

  test('rejects withdrawn while a standard fulfillment holds the item (decisions 11)', () => {
    const { code, message, extra } = rejectionOf(held({}), 'withdrawn')
    expect({ code, message, extra }).toEqual({
      code: 'validation_error',
      message: 'to_status "withdrawn" cannot be reached from in_fulfillment.',
      extra: {
        fields: { to_status: ['"withdrawn" cannot be reached from in_fulfillment'] },
        from: 'in_fulfillment',
        to: 'withdrawn',
        reachable: [
          'received',
          'digitized',
          'available',
          'in_transit',
          'delivered',
          'pending_transfer',
          'released',
        ],
      },
    })
  })

  test('rejects the same status in its own words', () => {
    expect(rejectionOf(alone('received'), 'received').extra.fields).toEqual({
      to_status: ['"received" is already the status'],
    })
  })
})
