import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { localTime, pointInTime, spanSeconds } from '../../src/cli/base/times.ts'

const now = Date.parse('2026-05-01T12:00:00.000Z')

beforeEach(() => {
  vi.stubEnv('TZ', 'America/New_York')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('times as operators type and see them', () => {
  test('a time is shown in the zone of the operator', () => {
    expect(localTime('2026-05-01T12:00:05.000Z')).toBe('2026-05-01 08:00:05')
    expect(localTime('2026-12-01T12:00:05.000Z')).toBe('2026-12-01 07:00:05')
    expect(localTime('soon')).toBe('soon')
  })

  test.each([
    ['2026-05-01', '2026-05-01T04:00:00.000Z'],
    ['2026-05-01T09:00:00Z', '2026-05-01T09:00:00.000Z'],
    ['2026-05-01T09:00:00+02:00', '2026-05-01T07:00:00.000Z'],
    ['2026-05-01 09:00', '2026-05-01T13:00:00.000Z'],
    ['24h', '2026-04-30T12:00:00.000Z'],
    ['7d', '2026-04-24T12:00:00.000Z'],
  ])('%s is the point in time %s', (text, time) => {
    expect(pointInTime(text, '--since', now)).toBe(time)
  })

  test.each(['yesterday', '2026-13-01', '7', '', '1 May'])(
    '%j is no time: usage, naming the flag',
    (text) => {
      expect(() => pointInTime(text, '--since', now)).toThrow(/^--since: .* is not a time\.$/)
    },
  )

  test.each([
    ['90s', 90],
    ['15m', 900],
    ['2w', 1_209_600],
    ['45', 45],
  ])('the span %s has %i seconds', (text, seconds) => {
    expect(spanSeconds(text, '--advance')).toBe(seconds)
  })

  test('what is no span is refused', () => {
    expect(() => spanSeconds('1.5h', '--advance')).toThrow('--advance: "1.5h" is not a span of time.')
  })
})
