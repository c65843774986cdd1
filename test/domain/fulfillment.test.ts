import { describe, expect, test } from 'vitest'
import {
  type FulfillmentStatus,
  fulfillmentStatuses,
  type ProcessingStage,
  processingStages,
} from '../../src/contract/enums.ts'
import { planCancel, planMove, planStage } from '../../src/domain/fulfillments/fulfillment.ts'
import {
  createdFulfillment,
  type FulfillmentState,
  fulfillmentEdges,
  holdsItems,
  isBeforePick,
  stageSteps,
  stateAfter,
  statusStep,
  stepsFrom,
} from '../../src/domain/fulfillments/fulfillment-states.ts'
import { Rejection } from '../../src/domain/rejection.ts'
import { everyFulfillmentState, fulfillmentIn } from '../support/fulfillment-states.ts'

/** Ruling 7, as written there: "pending -> processing -> shipped -> delivered; ...". */
const decided: Record<FulfillmentStatus, FulfillmentStatus[]> = {
  pending: ['processing', 'cancelled', 'exception'],
  processing: ['shipped', 'cancelled', 'exception'],
  shipped: ['delivered', 'exception', 'returned'],
  delivered: ['returned'],
  cancelled: [],
  exception: ['processing', 'shipped', 'returned'],
  returned: [],
}

function isLegal(state: FulfillmentState, to: FulfillmentStatus): boolean {
  if (!decided[state.status].includes(to)) return false
  if (state.status === 'processing' && to === 'cancelled') return state.processing_stage === null
  if (state.status === 'exception' && to === 'processing') return !state.has_shipped
  if (state.status === 'exception' && to === 'returned') return state.has_shipped
  return true
}

function rejectionOf(act: () => unknown): { code: string; message: string; extra: unknown } {
  try {
    act()
  } catch (thrown) {
    if (thrown instanceof Rejection)
      return { code: thrown.code, message: thrown.message, extra: thrown.extra }
    throw thrown
  }
  throw new Error('nothing was rejected')
}

const pairs = everyFulfillmentState.flatMap((state) => fulfillmentStatuses.map((to) => ({ state, to })))

describe('the graph of fulfillment statuses (3.4, decisions 7)', () => {
  test('is that of the decisions', () => {
    for (const from of fulfillmentStatuses) {
      const targets = fulfillmentEdges.filter((edge) => edge.from === from).map((edge) => edge.to)
      expect(targets.sort()).toEqual([...decided[from]].sort())
    }
  })

  test('allows every edge and rejects every other move, from every state', () => {
    for (const { state, to } of pairs) {
      const step = statusStep(state, to)
      expect(step?.status ?? null, JSON.stringify([state, to])).toBe(isLegal(state, to) ? to : null)
      if (step !== null) expect(planMove(state, to)).toEqual(step)
      else expect(rejectionOf(() => planMove(state, to)).code).toBe('state_conflict')
    }
  })

  test('offers no step twice, and a later stage keeps issue, items, and events (2.7)', () => {
    for (const state of everyFulfillmentState) {
      const targets = stepsFrom(state).map((step) => `${step.status} ${step.processing_stage}`)
      expect(new Set(targets).size).toBe(targets.length)
      for (const step of stageSteps(state))
        expect(step).toMatchObject({ status: 'processing', issue: 'keep', item_cause: null, events: [] })
    }
  })

  test('leads only to possible states, and to each of them', () => {
    const reached = [createdFulfillment, ...everyFulfillmentState.flatMap(stepsFrom)]
    for (const type of ['standard', 'withdrawal'] as const) {
      const states = new Set(reached.map((step) => JSON.stringify(stateAfter({ type }, step))))
      const possible = everyFulfillmentState
        .filter((state) => state.type === type)
        .map((state) => JSON.stringify(state))
      expect([...states].sort()).toEqual(possible.sort())
    }
  })

  test('orders stages as the enum does; one may be skipped, none repeated (2.7)', () => {
    const later = (stage: ProcessingStage | null) =>
      stageSteps(fulfillmentIn({ status: 'processing', processing_stage: stage })).map(
        (step) => step.processing_stage,
      )
    expect(later(null)).toEqual(processingStages)
    expect(later('picked')).toEqual(['packed', 'verified', 'labeled', 'queued_for_carrier'])
    expect(later('labeled')).toEqual(['queued_for_carrier'])
    expect(later('queued_for_carrier')).toEqual([])
  })

  test("names the fulfillment's status in a rejected move", () => {
    const state = fulfillmentIn({ status: 'processing', processing_stage: 'packed' })
    expect(rejectionOf(() => planMove(state, 'returned'))).toEqual({
      code: 'state_conflict',
      message: 'This fulfillment is processing (packed) and cannot become returned.',
      extra: { status: 'processing', processing_stage: 'packed' },
    })
    expect(rejectionOf(() => planMove(fulfillmentIn({}), 'delivered')).message).toBe(
      'This fulfillment is pending and cannot become delivered.',
    )
    expect(rejectionOf(() => planMove(state, 'processing')).message).toBe(
      'This fulfillment is already processing.',
    )
    expect(rejectionOf(() => planStage(state, 'picked')).message).toBe(
      'This fulfillment is processing (packed) and cannot move to picked.',
    )
  })
})

describe('cancel (3.4, decisions 7, 11)', () => {
  test.each([fulfillmentIn({ status: 'pending' }), fulfillmentIn({ status: 'processing' })])(
    'cancels before pick and frees the items: $status',
    (state) => {
      expect(isBeforePick(state)).toBe(true)
      expect(planCancel(state)).toEqual({
        status: 'cancelled',
        processing_stage: null,
        has_shipped: false,
        interrupted_stage: null,
        label: false,
        issue: 'keep',
        item_cause: 'fulfillment_cancelled',
        events: ['fulfillment.status.changed'],
      })
    },
  )

  test.each(processingStages)('is too late at %s', (stage) => {
    const state = fulfillmentIn({ status: 'processing', processing_stage: stage })
    expect(isBeforePick(state)).toBe(false)
    expect(rejectionOf(() => planCancel(state))).toEqual({
      code: 'state_conflict',
      message: 'This fulfillment is already past pick and can no longer be cancelled.',
      extra: { status: 'processing', processing_stage: stage },
    })
  })

  test('is rejected in exception, picked or not, because the issue comes first', () => {
    for (const state of everyFulfillmentState.filter((each) => each.status === 'exception')) {
      expect(isBeforePick(state)).toBe(false)
      expect(rejectionOf(() => planCancel(state)).message).toBe(
        'This fulfillment has an open issue, which the warehouse must resolve first.',
      )
    }
  })

  test.each(['shipped', 'delivered', 'cancelled', 'returned'] as const)('is rejected once %s', (status) => {
    expect(rejectionOf(() => planCancel(fulfillmentIn({ status })))).toMatchObject({
      code: 'state_conflict',
      message: `This fulfillment is already ${status} and can no longer be cancelled.`,
    })
  })
})

describe('the effect of a step', () => {
  test.each([
    ['processing', fulfillmentIn({}), null],
    ['cancelled', fulfillmentIn({}), 'fulfillment_cancelled'],
    ['exception', fulfillmentIn({}), null],
    ['shipped', fulfillmentIn({ status: 'processing' }), 'fulfillment_shipped'],
    ['shipped', fulfillmentIn({ status: 'exception' }), 'fulfillment_shipped'],
    ['shipped', fulfillmentIn({ status: 'exception', has_shipped: true }), null],
    ['delivered', fulfillmentIn({ status: 'shipped', has_shipped: true }), 'standard_delivered'],
    [
      'delivered',
      fulfillmentIn({ status: 'shipped', has_shipped: true, type: 'withdrawal' }),
      'withdrawal_delivered',
    ],
    ['returned', fulfillmentIn({ status: 'delivered', has_shipped: true }), 'fulfillment_returned'],
  ] as const)('of %s moves the items as decided: %j', (to, state, cause) => {
    expect(planMove(state, to).item_cause).toBe(cause)
  })

  test('emits a change for a status, an extra event for an issue and a return, and none for a stage (decisions 7)', () => {
    const more = { exception: ['fulfillment.issue.raised'], returned: ['fulfillment.returned'] } as Record<
      string,
      string[]
    >
    for (const state of everyFulfillmentState) {
      for (const step of stepsFrom(state)) {
        const changed = step.status !== state.status
        expect(step.events).toEqual(
          changed ? ['fulfillment.status.changed', ...(more[step.status] ?? [])] : [],
        )
      }
    }
    expect(createdFulfillment.events).toEqual(['fulfillment.status.changed'])
  })

  test('sets carrier, service, and tracking from labeled on, and at the latest when shipped', () => {
    const labelAt = (stage: ProcessingStage) =>
      planStage(fulfillmentIn({ status: 'processing' }), stage).label
    expect(processingStages.filter(labelAt)).toEqual(['labeled', 'queued_for_carrier'])
    expect(planMove(fulfillmentIn({ status: 'processing' }), 'shipped').label).toBe(true)
    expect(
      planMove(fulfillmentIn({ status: 'processing', processing_stage: 'packed' }), 'exception').label,
    ).toBe(false)
    expect(
      planMove(fulfillmentIn({ status: 'processing', processing_stage: 'labeled' }), 'exception').label,
    ).toBe(true)
  })

  test('sets the issue at an exception, clears it on resumption, and keeps it at a return', () => {
    expect(planMove(fulfillmentIn({}), 'exception').issue).toBe('set')
    expect(planMove(fulfillmentIn({ status: 'exception' }), 'processing').issue).toBe('clear')
    expect(planMove(fulfillmentIn({ status: 'exception' }), 'shipped').issue).toBe('clear')
    expect(planMove(fulfillmentIn({ status: 'exception', has_shipped: true }), 'returned').issue).toBe('keep')
    expect(planMove(fulfillmentIn({}), 'processing').issue).toBe('keep')
  })

  test('holds items from creation to delivery, cancel, or return (decisions 11)', () => {
    expect(fulfillmentStatuses.filter(holdsItems)).toEqual(['pending', 'processing', 'shipped', 'exception'])
  })
})
