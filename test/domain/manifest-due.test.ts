import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { automaticCloseAt, lastDueArrivalEnd } from '../../src/domain/manifests/manifest-due.ts'

const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

describe('automatic close (3.1, decisions 6)', () => {
  test('an end of the 1st with 7 days of grace is due when the 8th is over, in UTC', () => {
    expect(automaticCloseAt('2026-03-01', 7)).toBe('2026-03-09T00:00:00.000Z')
    expect(lastDueArrivalEnd('2026-03-08T23:59:59.999Z', 7)).toBe('2026-02-28')
    expect(lastDueArrivalEnd('2026-03-09T00:00:00.000Z', 7)).toBe('2026-03-01')
  })

  test.each([
    ['2028-02-22', 7, '2028-03-01T00:00:00.000Z'], // a leap day in the grace
    ['2026-12-31', 0, '2027-01-01T00:00:00.000Z'],
    ['2026-10-25', 1, '2026-10-27T00:00:00.000Z'], // no summer time in UTC
    ['9999-12-31', 7, null],
    [null, 7, null],
  ])('an end of %s and %i days: %s', (end, graceDays, due) => {
    expect(automaticCloseAt(end, graceDays)).toBe(due)
  })

  test('an end is due at an instant exactly when it is not after the last due end', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -40, max: 40 }), fc.nat(30), (instant, days, graceDays) => {
        const now = instant.toISOString()
        const end = new Date(instant.getTime() + days * 86_400_000).toISOString().slice(0, 10)
        expect(end <= lastDueArrivalEnd(now, graceDays)).toBe(now >= automaticCloseAt(end, graceDays)!)
      }),
    )
  })
})
