import { describe, expect, test } from 'vitest'
import { clockSecondsMax } from '../../src/contract/limits.ts'
import { Rejection } from '../../src/domain/rejection.ts'
import { clockFaults, planClockAdvance } from '../../src/domain/scope-clock.ts'

const now = '2026-03-01T12:00:00.000Z'

function fields(request: { seconds?: number; to?: string }, at = now): unknown {
  try {
    planClockAdvance(at, request)
  } catch (thrown) {
    if (thrown instanceof Rejection) return { code: thrown.code, ...thrown.extra }
    throw thrown
  }
  throw new Error('nothing was rejected')
}

describe('moving the clock of a scope (decisions 10, 11)', () => {
  test.each([
    [{ seconds: 1 }, 1000],
    [{ seconds: clockSecondsMax }, clockSecondsMax * 1000],
    [{ to: '2026-03-01T12:00:00.001Z' }, 1],
    [{ to: '2026-03-09T00:00:00Z' }, 7.5 * 86_400_000],
    [{ to: '2026-03-01T14:00:00+01:00' }, 3_600_000],
  ])('%j moves it by %i ms', (request, ms) => {
    expect(planClockAdvance(now, request)).toBe(ms)
  })

  test.each([
    [{}, { seconds: ['is required when there is no to'] }],
    [{ seconds: 5, to: '2027-01-01T00:00:00Z' }, { to: ['cannot be combined with seconds'] }],
    [{ to: now }, { to: ['must be in the future: the clock only moves forward'] }],
    [{ to: '2026-03-01T12:30:00+01:00' }, { to: ['must be in the future: the clock only moves forward'] }],
    [{ seconds: 0 }, { seconds: ['must be in the future: the clock only moves forward'] }],
    [{ seconds: clockSecondsMax + 1 }, { seconds: ['is more than ten years ahead'] }],
    [{ to: '2040-01-01T00:00:00Z' }, { to: ['is more than ten years ahead'] }],
    [{ to: '2026-02-30T99:00:00Z' }, { to: ['is not a time'] }],
  ])('%j is rejected: %j', (request, faults) => {
    expect(fields(request)).toEqual({ code: 'validation_error', fields: faults })
  })

  test.each(['seconds', 'to'])('a fault of form of %s is the only one reported', (name) => {
    expect(clockFaults(now, { [name]: undefined })).toEqual({})
  })

  test('reaches the year 9989 at most: timestamps end ten years later, and time still passes', () => {
    const late = '9989-12-31T23:59:58.999Z'
    const faults = ['is after the year 9989: the clock cannot move that far']
    expect(planClockAdvance(late, { seconds: 1 })).toBe(1000)
    expect(fields({ seconds: 2 }, late)).toMatchObject({ fields: { seconds: faults } })
    expect(fields({ to: '9990-01-01T00:00:00Z' }, late)).toMatchObject({ fields: { to: faults } })
  })
})
