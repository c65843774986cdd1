import { describe, expect, test } from 'vitest'
import { judgeTime } from '../../src/domain/time-certainty.ts'

const at = (ms: number): string => new Date(Date.parse('2026-05-01T09:00:00.000Z') + ms).toISOString()
/** A clock must run steadily this long before automatic close trusts it. */
const hour = 3_600_000
const day = 24 * hour
const fresh = { steadyMs: 0, jumps: 0 }

test('a doubt from before the clock jumped is renewed, and a time never doubted is doubted from now on', () => {
  const seen = { now: Date.parse(at(40 * day + 5)), steadyMs: 4, jumps: 1 }
  for (const doubted_at of [at(40 * day), null])
    expect(judgeTime({ sure_at: at(0), doubted_at }, seen, 'lasting')).toEqual({
      isSure: false,
      record: { sure_at: at(0), doubted_at: at(40 * day + 5) },
    })
})

describe.each(['brief', 'lasting'] as const)('certainty in a process that is %s', (lifetime) => {
  const standsMs = lifetime === 'brief' ? 8 * day : hour
  test.each([
    ['near the last certain time', { sure: 0, doubted: null }, hour, fresh, true],
    ['more than an hour later', { sure: 0, doubted: null }, hour + 1, fresh, false],
    ['more than an hour earlier', { sure: 0, doubted: null }, -hour - 1, fresh, false],
    [
      'after an hour of this process',
      { sure: 0, doubted: null },
      40 * day,
      { ...fresh, steadyMs: hour },
      true,
    ],
    ['near, after a jump', { sure: 0, doubted: null }, 1, { steadyMs: hour - 1, jumps: 1 }, false],
    ['an hour after a jump', { sure: 0, doubted: 1 }, 40 * day, { steadyMs: hour, jumps: 1 }, true],
    ['a doubt of an hour', { sure: 0, doubted: 40 * day }, 40 * day + hour, fresh, true],
    ['a younger doubt', { sure: 0, doubted: 40 * day }, 40 * day + hour - 1, fresh, false],
    ['a doubt of the maximum age', { sure: 0, doubted: day }, day + standsMs, fresh, true],
    [
      'an older doubt, which a clock far ahead would confirm',
      { sure: 0, doubted: day },
      day + standsMs + 1,
      fresh,
      false,
    ],
    [
      'a doubt that was not too old when the process began',
      { sure: 0, doubted: day },
      day + standsMs + 5,
      { steadyMs: 5, jumps: 0 },
      true,
    ],
    ['a new doubt', { sure: 0, doubted: 40 * day }, 40 * day, fresh, false],
    [
      'a doubt of this process after its jump',
      { sure: 0, doubted: 40 * day },
      40 * day + 5,
      { steadyMs: 5, jumps: 1 },
      false,
    ],
    ['a doubt dated in the future', { sure: 0, doubted: 40 * day }, 3 * hour, fresh, false],
  ])('%s', (_, { sure, doubted }, now, seen, isSure) => {
    const before = { sure_at: at(sure), doubted_at: doubted === null ? null : at(doubted) }
    const judged = judgeTime(before, { now: Date.parse(at(now)), ...seen }, lifetime)
    expect(judged.isSure).toBe(isSure)
    const stands = doubted !== null && doubted <= now && now - doubted - seen.steadyMs <= standsMs
    const doubtedAt = stands ? at(doubted) : at(now)
    expect(judged.record).toEqual(
      isSure ? { sure_at: at(now), doubted_at: null } : { sure_at: at(sure), doubted_at: doubtedAt },
    )
  })
})
