import { describe, expect, test } from 'vitest'
import { transferStatuses } from '../../src/contract/enums.ts'
import { rejectTransferMove, transferEdges } from '../../src/domain/fulfillments/fulfillment.ts'
import { nextItemStatus } from '../../src/domain/items/item-states.ts'
import { Rejection } from '../../src/domain/rejection.ts'

/** Ruling 7: "Transfers: requested -> completed, declined or cancelled." */
const decided = ['requested -> completed', 'requested -> declined', 'requested -> cancelled']
const pairs = transferStatuses.flatMap((from) => transferStatuses.map((to) => [from, to] as const))

describe('the graph of transfer statuses (3.5, decisions 7)', () => {
  test('is that of the decisions', () => {
    expect(transferEdges.map(({ from, to }) => `${from} -> ${to}`)).toEqual(decided)
  })

  test.each(pairs.filter(([from, to]) => decided.includes(`${from} -> ${to}`)))(
    '%s becomes %s',
    (from, to) => {
      expect(() => rejectTransferMove(from, to)).not.toThrow()
    },
  )

  test.each(pairs.filter(([from, to]) => !decided.includes(`${from} -> ${to}`)))(
    '%s never becomes %s',
    (from, to) => {
      const message =
        from === to
          ? `This transfer is already ${from}.`
          : `This transfer is ${from} and cannot become ${to}.`
      expect(() => rejectTransferMove(from, to)).toThrow(
        new Rejection('state_conflict', message, { status: from }),
      )
    },
  )

  test('holds items while requested, releases them on completion, and returns them otherwise', () => {
    expect(nextItemStatus('available', 'transfer_requested')).toBe('pending_transfer')
    expect(nextItemStatus('pending_transfer', 'transfer_completed')).toBe('released')
    expect(nextItemStatus('pending_transfer', 'transfer_declined')).toBe('available')
    expect(nextItemStatus('pending_transfer', 'transfer_cancelled')).toBe('available')
  })
})
