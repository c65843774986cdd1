import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastDueArrivalEnd } from '../../src/domain/manifests/manifest.ts'

const dayMs = 86_400_000
const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

describe('automatic close (3.1, decisions 6)', () => {
  test.each([
    ['2026-03-01', 7, '2026-03-09T00:00:00.000Z'], // the 8th has ended, in UTC
    ['2028-02-22', 7, '2028-03-01T00:00:00.000Z'], // a leap day within the grace days
    ['2026-12-31', 0, '2027-01-01T00:00:00.000Z'],
    ['2026-10-25', 1, '2026-10-27T00:00:00.000Z'], // UTC has no summer time
  ])(
    'of an end at %s with %i days of grace is due at %s, and not a millisecond earlier',
    (end, graceDays, due) => {
      expect(lastDueArrivalEnd(due, graceDays)).toBe(end)
      expect(lastDueArrivalEnd(new Date(Date.parse(due) - 1).toISOString(), graceDays) < end).toBe(true)
    },
  )

  test('is due exactly when the day and the grace are over', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -40, max: 40 }), fc.nat(30), (instant, days, graceDays) => {
        const end = new Date(instant.getTime() + days * dayMs).toISOString().slice(0, 10)
        const dueMs = Date.parse(`${end}T00:00:00.000Z`) + (graceDays + 1) * dayMs
        expect(end <= lastDueArrivalEnd(instant.toISOString(), graceDays)).toBe(instant.getTime() >= dueMs)
      }),
    )
  })
})
