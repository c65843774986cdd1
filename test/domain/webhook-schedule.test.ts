import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedDelayMs, isGivenUp, nextAttemptAt } from '../../src/domain/webhooks/webhook-schedule.ts'
import { attemptDelaysMs } from '../support/attempt-delays.ts'

const now = '2026-05-01T09:00:00.000Z'
const at = (ms: number): string => new Date(Date.parse(now) + ms).toISOString()
const middle = 0.5

describe('the attempts of a delivery (decisions 9)', () => {
  test('happen ten times: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and 24 h', () => {
    for (const [made, ms] of attemptDelaysMs.entries())
      expect(nextAttemptAt(now, made, middle, null)).toBe(at(ms))
    expect(nextAttemptAt(now, 10, middle, null)).toBeNull()
  })

  test('vary by at most 20 % either way', () => {
    expect(nextAttemptAt(now, 2, 0, null)).toBe(at(240_000))
    expect(nextAttemptAt(now, 2, 1, null)).toBe(at(360_000))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (made, chance) => {
          const ms = Date.parse(nextAttemptAt(now, made, chance, null) ?? '') - Date.parse(now)
          const delay = attemptDelaysMs[made] ?? 0
          expect(ms).toBeGreaterThanOrEqual(Math.floor(delay * 0.8))
          expect(ms).toBeLessThanOrEqual(delay * 1.2)
        },
      ),
    )
  })

  test('come later after Retry-After, never earlier, and without a refund', () => {
    expect(nextAttemptAt(now, 1, middle, 60_000)).toBe(at(60_000))
    expect(nextAttemptAt(now, 2, middle, 60_000)).toBe(at(300_000))
    expect(nextAttemptAt(now, 10, middle, 60_000)).toBeNull()
  })

  test('stay at the last time that the clock can hold', () => {
    const end = '9999-12-31T23:59:59.999Z'
    expect(nextAttemptAt(end, 9, middle, null)).toBe(end)
  })
})

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-05-01T09:00:00.000Z')
  test.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Fri, 01 May 2026 09:00:30 GMT', 30_000],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['999999999999', 86_400_000],
    ['Sat, 01 May 2027 09:00:00 GMT', 86_400_000],
    ['0', null],
    ['-5', null],
    ['1.5e3x', null],
    ['soon', null],
    ['', null],
    ['Fri, 01 May 2026 08:59:00 GMT', null],
    [undefined, null],
  ])('%j is %j ms', (header, ms) => {
    expect(askedDelayMs({ 'retry-after': header }, nowMs)).toBe(ms)
  })
})

test("a date counts from the answer's Date, so a receiver's wrong clock does no harm", () => {
  const headers = { 'retry-after': 'Fri, 01 May 2026 09:00:30 GMT', date: 'Fri, 01 May 2026 09:00:00 GMT' }
  expect(askedDelayMs(headers, Date.parse('2026-05-01T11:00:00.000Z'))).toBe(30_000)
})

test('a subscription is given up after five days without a success, not before', () => {
  expect(isGivenUp(now, at(5 * 86_400_000 - 1))).toBe(false)
  expect(isGivenUp(now, at(5 * 86_400_000))).toBe(true)
})
