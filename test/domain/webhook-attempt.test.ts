import { describe, expect, test } from 'vitest'
import { type AttemptResult, healthAfter, outcomeOf } from '../../src/domain/webhooks/webhook-schedule.ts'

const now = '2026-05-01T09:00:00.000Z'
const answered = (response_code: number, retry_after_ms: number | null = null): AttemptResult => ({
  response_code,
  error: null,
  retry_after_ms,
})
const failed: AttemptResult = {
  response_code: null,
  error: 'The connection was refused.',
  retry_after_ms: null,
}
const well = { active: true, failing_since: null, paused_until: null }

describe('the effect of an attempt on its delivery (decisions 9)', () => {
  test.each([200, 201, 202, 204, 206, 299])('%i delivers it', (code) => {
    expect(outcomeOf(answered(code), 3, now, 0.5)).toEqual({
      status: 'delivered',
      response_code: code,
      last_error: null,
      next_attempt_at: null,
    })
  })

  test.each([199, 300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 409, 429, 500, 503, 599])(
    '%i does not deliver it and is retried',
    (code) => {
      expect(outcomeOf(answered(code), 1, now, 0.5)).toEqual({
        status: 'pending',
        response_code: code,
        last_error: `The receiver answered ${code}.`,
        next_attempt_at: '2026-05-01T09:00:05.000Z',
      })
    },
  )

  test('no answer is retried, with the reason', () => {
    expect(outcomeOf(failed, 1, now, 0.5)).toEqual({
      status: 'pending',
      response_code: null,
      last_error: 'The connection was refused.',
      next_attempt_at: '2026-05-01T09:00:05.000Z',
    })
  })

  test('the tenth failure and a 410 make it dead', () => {
    expect(outcomeOf(failed, 9, now, 0.5).status).toBe('pending')
    expect(outcomeOf(failed, 10, now, 0.5)).toMatchObject({ status: 'dead', next_attempt_at: null })
    expect(outcomeOf(answered(410), 1, now, 0.5)).toMatchObject({ status: 'dead', next_attempt_at: null })
  })
})

describe('the effect of an attempt on its subscription (decisions 9)', () => {
  test('the first failure is remembered, and a success clears it', () => {
    const failing = healthAfter(well, failed, now)
    expect(failing).toEqual({ ...well, failing_since: now })
    expect(healthAfter(failing, failed, '2026-05-03T09:00:00.000Z')).toEqual(failing)
    expect(healthAfter(failing, answered(200), '2026-05-09T09:00:00.000Z')).toEqual(well)
  })

  test('five days of failures deactivate it, and a 410 does at once', () => {
    const failing = { ...well, failing_since: now }
    expect(healthAfter(failing, failed, '2026-05-06T08:59:59.999Z').active).toBe(true)
    expect(healthAfter(failing, failed, '2026-05-06T09:00:00.000Z').active).toBe(false)
    expect(healthAfter(well, answered(410), now).active).toBe(false)
  })

  test('no success activates an inactive one', () => {
    expect(healthAfter({ ...well, active: false }, answered(200), now).active).toBe(false)
  })

  test('Retry-After pauses it, and the longer of two pauses counts', () => {
    const paused = healthAfter(well, answered(429, 60_000), now)
    expect(paused.paused_until).toBe('2026-05-01T09:01:00.000Z')
    expect(healthAfter(paused, answered(503, 1_000), now).paused_until).toBe('2026-05-01T09:01:00.000Z')
    expect(healthAfter(paused, failed, now).paused_until).toBe('2026-05-01T09:01:00.000Z')
    expect(healthAfter(paused, answered(503, 90_000), now).paused_until).toBe('2026-05-01T09:01:30.000Z')
  })
})
