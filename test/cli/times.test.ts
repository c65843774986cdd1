import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { durationSeconds, localTime, pointInTime } from '../../src/cli/base/times.ts'
import { cliUser, forAllTests, serviceOf } from '../support/each.ts'

const now = Date.parse('2026-05-01T12:00:00.000Z')

beforeEach(() => {
  vi.stubEnv('TZ', 'America/New_York')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('times as operators type and see them', () => {
  test("a time is shown in the operator's zone", () => {
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

  test.each([
    ...['yesterday', '2026-13-01', '7', '', '1 May', '2026-05-01T', '2026-05-01T9', '2026-05-01 noon'],
    ...['2026-02-30', '2026-04-31T10:00:00Z', '2025-02-29', '2026-02-30 09:00', '2026-00-10', '2026-05-00'],
    ...['2026-05-01T24:00', '2026-05-01T23:59:60Z', '2026-05-01T10:60', '2026-05-01T10:00+99:00'],
  ])('%j is rejected as a time, and the flag is named', (text) => {
    expect(() => pointInTime(text, '--since', now)).toThrow(/^--since: .* is not a time\.$/)
  })

  test.each([
    ['90s', 90],
    ['15m', 900],
    ['2w', 1_209_600],
    ['45', 45],
  ])('the duration %s has %i seconds', (text, seconds) => {
    expect(durationSeconds(text, '--advance')).toBe(seconds)
  })

  test.each([
    ['--since', () => pointInTime('9999-12-31T23:59:59-01:00', '--since', now)],
    ['--since', () => pointInTime('0000-01-01T00:00:00+01:00', '--since', now)],
    ['--since', () => pointInTime('99999999999999d', '--since', now)],
    ['--advance', () => durationSeconds('36601d', '--advance')],
    ['--advance', () => durationSeconds('9'.repeat(400), '--advance')],
  ])('an impossible time is a usage error that names %s', (flag, read) => {
    expect(read).toThrow(expect.objectContaining({ ending: 'usage', message: expect.stringContaining(flag) }))
  })

  test('an invalid duration is rejected', () => {
    expect(() => durationSeconds('1.5h', '--advance')).toThrow('--advance: "1.5h" is not a duration.')
  })
})

describe('the time of a production service', () => {
  let query = ''
  const user = forAllTests(cliUser)
  const service = forAllTests(
    serviceOf((request, response) => {
      const [path = '', asked = ''] = String(request.url).split('?')
      const isClock = path.startsWith('/v1/sandbox')
      const error = { code: 'not_found', message: 'No such resource.', extra: {} }
      const list = { page_size: 1, count: 0, total: 0, results: [] }
      const body = isClock ? error : path === '/v1/items' ? list : { total: 0, by_status: {} }
      if (path === '/v1/items') query = decodeURIComponent(asked)
      const headers = { date: new Date(now).toUTCString(), 'content-type': 'application/json' }
      response.writeHead(isClock ? 404 : 200, headers).end(JSON.stringify(body))
    }),
  )

  test.each([
    ['a day ahead', 86_400_000, '11:00:00.999Z'],
    ['a year behind', -365 * 86_400_000, '11:00:00.999Z'],
    ['half a minute ahead', 30_000, '11:00:30.000Z'],
  ])('is what ages count back from if the machine is %s', async (_, ahead, time) => {
    const args = ['items', 'ls', '--intake-after', '1h']
    expect((await user.run(args, { env: service.env, now: now + ahead })).code).toBe(0)
    expect(query).toContain(`intake_after=2026-05-01T${time}`)
  })
})
