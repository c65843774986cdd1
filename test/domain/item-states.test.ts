import { describe, expect, test } from 'vitest'
import { type ItemStatus, itemStatuses } from '../../src/contract/enums.ts'
import {
  type ItemCause,
  isHeld,
  nextItemStatus,
  stockByStatus,
  stockChange,
} from '../../src/domain/items/item-states.ts'

/** The table of ruling 7, word for word, so that neither copy drifts. */
const decided: Array<[from: string, to: ItemStatus, cause: string]> = [
  ['(arrival)', 'received', 'intake'],
  ['received', 'digitized', 'imagery attached'],
  ['digitized', 'available', 'stored'],
  ['available', 'in_fulfillment', 'fulfillment created'],
  ['in_fulfillment', 'available', 'fulfillment cancelled'],
  ['in_fulfillment', 'in_transit', 'fulfillment shipped'],
  ['in_transit', 'delivered', 'standard fulfillment delivered'],
  ['in_transit', 'withdrawn', 'withdrawal fulfillment delivered'],
  ['in_transit, delivered, withdrawn', 'received', 'fulfillment returned'],
  ['available', 'pending_transfer', 'transfer requested'],
  ['pending_transfer', 'available', 'transfer declined or cancelled'],
  ['pending_transfer', 'released', 'transfer completed'],
]

const causesInWords: Record<ItemCause, string> = {
  intake: 'intake',
  imagery_attached: 'imagery attached',
  stored: 'stored',
  fulfillment_created: 'fulfillment created',
  fulfillment_cancelled: 'fulfillment cancelled',
  fulfillment_shipped: 'fulfillment shipped',
  standard_delivered: 'standard fulfillment delivered',
  withdrawal_delivered: 'withdrawal fulfillment delivered',
  fulfillment_returned: 'fulfillment returned',
  transfer_requested: 'transfer requested',
  transfer_declined: 'transfer declined or cancelled',
  transfer_cancelled: 'transfer declined or cancelled',
  transfer_completed: 'transfer completed',
}

const starts: Array<ItemStatus | null> = [null, ...itemStatuses]
const causes = Object.keys(causesInWords) as ItemCause[]

/** Every step in the rulings, where declined and cancelled are one row. */
const edges = decided.flatMap(([froms, to, words]) =>
  froms
    .split(', ')
    .flatMap((name) =>
      causes
        .filter((cause) => causesInWords[cause] === words)
        .map((cause) => ({ from: name === '(arrival)' ? null : (name as ItemStatus), to, cause })),
    ),
)

describe('the graph of item statuses (3.3, decisions 7)', () => {
  test.each(edges)('leads from $from by $cause to $to', ({ from, to, cause }) => {
    expect(nextItemStatus(from, cause)).toBe(to)
  })

  test('reports a cause that an arrival does not have', () => {
    expect(() => nextItemStatus(null, 'stored')).toThrow('no item leaves arrival by stored')
  })

  test('throws for every pair of a status and an impossible cause', () => {
    const illegal = starts.flatMap((from) => causes.map((cause) => ({ from, cause })))
    const unknown = illegal.filter(
      ({ from, cause }) => !edges.some((edge) => edge.from === from && edge.cause === cause),
    )
    expect(unknown).toHaveLength(starts.length * causes.length - edges.length)
    for (const { from, cause } of unknown) expect(() => nextItemStatus(from, cause)).toThrow(/no item leaves/)
  })
})

describe('the meaning of a status', () => {
  test('held is everything except delivered, released, and withdrawn (decisions 7)', () => {
    expect(itemStatuses.filter(isHeld)).toEqual([
      'received',
      'digitized',
      'available',
      'in_fulfillment',
      'in_transit',
      'pending_transfer',
    ])
    expect(itemStatuses.filter((status) => !isHeld(status))).toEqual(['delivered', 'released', 'withdrawn'])
  })

  test('inventory counts each status as decided (2.9, decisions 7)', () => {
    const inBucket = (bucket: 'on_hand' | 'available' | 'allocated') =>
      itemStatuses.filter((status) => stockByStatus[status][bucket] === 1)
    expect(inBucket('on_hand')).toEqual([
      'received',
      'digitized',
      'available',
      'in_fulfillment',
      'pending_transfer',
    ])
    expect(inBucket('allocated')).toEqual(['in_fulfillment', 'pending_transfer'])
    expect(inBucket('available')).toEqual(['available'])
  })

  test('the stock changes of any walk through the graph add up to its last status', () => {
    for (const { from, to } of edges) {
      const before = from === null ? { on_hand: 0, available: 0, allocated: 0 } : stockByStatus[from]
      const by = stockChange(from, to)
      expect({
        on_hand: before.on_hand + by.on_hand,
        available: before.available + by.available,
        allocated: before.allocated + by.allocated,
      }).toEqual(stockByStatus[to])
    }
  })
})
