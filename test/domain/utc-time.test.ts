import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { utcTime } from '../../src/domain/utc-time.ts'

describe('a given time in our format (decisions 2)', () => {
  test.each([
    ['2026-05-01T12:00:00Z', '2026-05-01T12:00:00.000Z'],
    ['2026-05-01T12:00:00.5Z', '2026-05-01T12:00:00.500Z'],
    ['2026-05-01T01:30:00+05:30', '2026-04-30T20:00:00.000Z'],
    ['2026-05-01T12:00:00.123000Z', '2026-05-01T12:00:00.123Z'],
    ['2026-05-01T12:00:00.1230001Z', '2026-05-01T12:00:00.124Z'],
    ['2026-12-31T23:59:59.9991Z', '2027-01-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.9991Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00:00+12:00', '0000-01-01T00:00:00.000Z'],
  ])('%s is %s', (given, expected) => {
    expect(utcTime(given)).toBe(expected)
  })

  test('compares as precisely as given, even below a millisecond', () => {
    const ours = fc.integer({ min: 0, max: 3 })
    const bound = fc.integer({ min: 0, max: 3000 })
    fc.assert(
      fc.property(ours, bound, (ms, us) => {
        const time = new Date(Date.parse('2026-05-01T00:00:00Z') + ms).toISOString()
        const given = `2026-05-01T00:00:00.${String(us).padStart(6, '0')}Z`
        expect(time >= utcTime(given)).toBe(ms * 1000 >= us)
      }),
    )
  })
})
