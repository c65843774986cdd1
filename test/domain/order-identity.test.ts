import { describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { repetitionAmong } from '../../src/domain/fulfillments/order-identity.ts'

type Order = Parameters<typeof repetitionAmong>[0]

const draft = { external_ref: 'R-1', shipping_address: null } as Order['draft']
const two: Order = { wanted: [{ sku: 'A', quantity: 2 }], isWhole: true, draft }

function adviceAbout(state: Pick<Fulfillment, 'status' | 'processing_stage'>): string {
  const earlier = { ...draft, ...state, id: 'F', created_at: '2026-01-01', qids: ['Q'] } as Fulfillment
  const found = repetitionAmong(two, [earlier], () => 'A')
  return found?.kind === 'different' ? Object.values(found.fields).join() : ''
}

describe('an order that differs from an earlier one of its reference', () => {
  test.each([
    ['pending', null],
    ['processing', null],
  ] as const)(
    'is advised to cancel that and take another reference if it is %s, %s',
    (status, processing_stage) => {
      expect(adviceAbout({ status, processing_stage })).toContain(
        'unchanged: cancel it and give this one another reference, or order only',
      )
    },
  )

  test.each([
    ['processing', 'packed'],
    ['shipped', null],
    ['delivered', null],
    ['exception', null],
  ] as const)('is not advised to cancel what is %s, %s', (status, processing_stage) => {
    const advice = adviceAbout({ status, processing_stage })
    expect(advice).toContain('unchanged and cannot be cancelled now: order only what')
    expect(advice).not.toContain('cancel it')
  })
})
