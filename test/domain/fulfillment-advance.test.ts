import { describe, expect, test } from 'vitest'
import {
  type FulfillmentStatus,
  fulfillmentStatuses,
  type ProcessingStage,
  processingStages,
} from '../../src/contract/enums.ts'
import {
  type FulfillmentTarget,
  planAdvance,
  targetFaults,
} from '../../src/domain/fulfillments/fulfillment-advance.ts'
import {
  type FulfillmentState,
  stateAfter,
  stepsFrom,
} from '../../src/domain/fulfillments/fulfillment-states.ts'
import { Rejection } from '../../src/domain/rejection.ts'
import { everyFulfillmentState, fulfillmentIn } from '../support/fulfillment-states.ts'

const issue = { code: 'address_problem', message: 'No such street.' }

function target(status: FulfillmentStatus, stage?: ProcessingStage): FulfillmentTarget {
  return { status, ...(stage && { stage }), ...(status === 'exception' && { issue }) }
}

function path(state: FulfillmentState, to: FulfillmentTarget): string[] {
  return planAdvance(state, to).map((step) => step.processing_stage ?? step.status)
}

function rejectionOf(state: FulfillmentState, to: FulfillmentTarget): Rejection {
  try {
    planAdvance(state, to)
  } catch (thrown) {
    if (thrown instanceof Rejection) return thrown
    throw thrown
  }
  throw new Error('nothing was rejected')
}

/** The states after exactly n legal steps, for growing n, until one is the target: no queue, no pruning. */
function fewestSteps(start: FulfillmentState, to: FulfillmentTarget): number {
  const isThere = (state: FulfillmentState) =>
    state.status === to.status && (to.stage === undefined || state.processing_stage === to.stage)
  let level = [start]
  for (let steps = 0; steps < 10; steps++) {
    if (steps > 0 && level.some(isThere)) return steps
    const next = level.flatMap((state) => stepsFrom(state).map((step) => stateAfter(state, step)))
    level = [...new Map(next.map((state) => [JSON.stringify(state), state])).values()]
  }
  return Number.POSITIVE_INFINITY
}

const targets: FulfillmentTarget[] = [
  ...fulfillmentStatuses.map((status) => target(status)),
  ...processingStages.map((stage) => target('processing', stage)),
]

describe('the path of a fulfillment advance (decisions 8, 11)', () => {
  test('is the shortest from every state to every status and stage, or rejected if there is none', () => {
    for (const state of everyFulfillmentState) {
      for (const to of targets) {
        const isSame =
          state.status === to.status && (to.stage ?? state.processing_stage) === state.processing_stage
        const fewest = isSame ? Number.POSITIVE_INFINITY : fewestSteps(state, to)
        if (fewest < Number.POSITIVE_INFINITY) expect(path(state, to)).toHaveLength(fewest)
        else expect(rejectionOf(state, to).code).toBe('validation_error')
      }
    }
  })

  test('takes legal steps and ends at the target', () => {
    for (const state of everyFulfillmentState) {
      for (const to of targets.filter((each) => fewestSteps(state, each) < Number.POSITIVE_INFINITY)) {
        if (state.status === to.status && (to.stage === undefined || to.stage === state.processing_stage))
          continue
        let at = state
        for (const step of planAdvance(state, to)) {
          expect(stepsFrom(at)).toContainEqual(step)
          at = stateAfter(at, step)
        }
        expect(at.status).toBe(to.status)
      }
    }
  })

  test.each([
    ['pending', fulfillmentIn({}), target('delivered'), ['processing', 'shipped', 'delivered']],
    ['pending', fulfillmentIn({}), target('processing', 'packed'), ['processing', 'packed']],
    ['pending', fulfillmentIn({}), target('returned'), ['processing', 'shipped', 'returned']],
    ['processing', fulfillmentIn({ status: 'processing' }), { stage: 'labeled' }, ['labeled']],
    [
      'exception at picked',
      fulfillmentIn({ status: 'exception', interrupted_stage: 'picked' }),
      target('processing'),
      ['picked'],
    ],
    [
      'exception before pick',
      fulfillmentIn({ status: 'exception' }),
      target('cancelled'),
      ['processing', 'cancelled'],
    ],
    [
      'exception before shipping',
      fulfillmentIn({ status: 'exception' }),
      target('returned'),
      ['shipped', 'returned'],
    ],
    [
      'exception on the way',
      fulfillmentIn({ status: 'exception', has_shipped: true }),
      target('returned'),
      ['returned'],
    ],
    [
      'exception on the way',
      fulfillmentIn({ status: 'exception', has_shipped: true }),
      target('delivered'),
      ['shipped', 'delivered'],
    ],
  ] as Array<[string, FulfillmentState, FulfillmentTarget, string[]]>)(
    'from %s: %j to %j',
    (_, state, to, steps) => {
      expect(path(state, to)).toEqual(steps)
    },
  )
})

describe('a fulfillment advance', () => {
  test('rejects the current status', () => {
    expect(rejectionOf(fulfillmentIn({}), target('pending')).extra).toMatchObject({
      fields: { to_status: ['"pending" is already the status'] },
      reachable: ['processing', 'shipped', 'delivered', 'cancelled', 'exception', 'returned'],
    })
  })

  test('rejects an earlier stage, naming the later ones', () => {
    const labeled = fulfillmentIn({ status: 'processing', processing_stage: 'labeled' })
    expect(rejectionOf(labeled, { stage: 'picked' }).extra).toEqual({
      fields: { to_stage: ['"picked" cannot be reached from processing (labeled)'] },
      from: 'processing',
      to: 'processing',
      reachable: ['shipped', 'delivered', 'exception', 'returned'],
      from_stage: 'labeled',
      to_stage: 'picked',
      reachable_stages: ['queued_for_carrier'],
    })
    expect(rejectionOf(labeled, { stage: 'labeled' }).extra).toMatchObject({
      fields: { to_stage: ['"labeled" is already the stage'] },
    })
  })

  test('rejects a stage that cannot exist, naming none', () => {
    expect(rejectionOf(fulfillmentIn({ status: 'returned' }), target('shipped')).message).toBe(
      'to_status "shipped" cannot be reached from returned.',
    )
  })

  test('rejects an issue without exception, unless the status already has a fault of form', () => {
    const fault = { issue: ['is only for exception'] }
    expect(targetFaults(undefined, { stage: 'picked', issue })).toEqual(fault)
    expect(targetFaults(undefined, { status: 'shipped', issue })).toEqual(fault)
    expect(targetFaults(undefined, { status: undefined, issue })).toEqual({})
    expect(targetFaults(undefined, { status: 'exception', issue })).toEqual({})
  })

  test.each([
    ['neither status nor stage', {}, { to_status: ['is required when there is no to_stage'] }],
    [
      'a stage with another status',
      { status: 'shipped', stage: 'picked' },
      { to_stage: ['is only for processing, not for shipped'] },
    ],
    [
      'a stage alone while pending',
      { stage: 'picked' },
      { to_stage: ['stands alone only while processing; the fulfillment is pending'] },
    ],
    ['an exception without issue', { status: 'exception' }, { issue: ['is required with exception'] }],
    ['an issue without exception', { status: 'shipped', issue }, { issue: ['is only for exception'] }],
    [
      'all faults at once',
      { status: 'exception', stage: 'picked' },
      { to_stage: ['is only for processing, not for exception'], issue: ['is required with exception'] },
    ],
  ] as Array<[string, FulfillmentTarget, object]>)('rejects %s', (_, to, fields) => {
    expect(rejectionOf(fulfillmentIn({}), to).extra).toEqual({ fields })
  })
})
