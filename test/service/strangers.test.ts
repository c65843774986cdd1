import { describe, expect, test, vi } from 'vitest'
import { formatApiKey } from '../../src/domain/api-key.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { createStrangers } from '../../src/service/limits/limiter.ts'
import { createKeylessSums } from '../../src/service/observe/keyless-sums.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { startHttp } from '../support/http.ts'
import { manualTimers } from '../support/manual-timers.ts'

const [database] = databases
const keyless = 'GET /v1/items HTTP/1.1\r\nHost: a\r\n\r\n'

describe('an address without a key (decisions 13)', () => {
  const harness = forAllTests(harnessWith(database!))

  test.each<[string, string | undefined]>([
    ['no key', undefined],
    ['an invalid key', 'x'],
    ['an unknown key', formatApiKey('sandbox', new Uint8Array(32))],
  ])(
    'gets 50 rejections at once and 10 a second with %s; then a 429 and the end of the connection',
    async (_, key) => {
      let now = Math.floor(runtime.uptime())
      const stopped = vi.spyOn(runtime, 'uptime').mockImplementation(() => now)
      const http = await startHttp(harness)
      const headers = ['connection', 'keep-alive', ...(key === undefined ? [] : ['x-api-key', key])]
      const statuses = async (count: number): Promise<number[]> => {
        const all = []
        for (let at = 0; at < count; at++) all.push((await http.send({ path: '/v1/items', headers })).status)
        return all
      }
      expect(await statuses(52)).toEqual([...Array(50).fill(401), 429, 429])
      const rejected = await http.send({ path: '/v1/nothing', headers })
      expect(rejected).toMatchObject({ status: 429, headers: { 'retry-after': '1', connection: 'close' } })
      expect(JSON.parse(rejected.text)).toMatchObject({ code: 'rate_limited' })
      expect((await http.send({ path: '/v1/items', headers: ['x-api-key', harness.key] })).status).toBe(200)
      expect((await http.send({ path: '/healthz' })).status).toBe(200)
      expect((await http.send({ path: '/v1/openapi.json' })).status).toBe(200)
      now += 1000
      expect(await statuses(11)).toEqual([...Array(10).fill(401), 429])
      stopped.mockRestore()
      await http.close()
    },
  )

  test('sends 90 requests at once, again and again, and gets none parsed after the first 429', async () => {
    const now = runtime.uptime()
    const stopped = vi.spyOn(runtime, 'uptime').mockReturnValue(now)
    const http = await startHttp(harness)
    const parsed = vi.fn()
    http.server.on('request', parsed)
    const texts = [await http.raw(keyless.repeat(90)), await http.raw(keyless.repeat(90))]
    expect(texts.map((text) => text.match(/HTTP\/1\.1 \d+/g)?.at(-1))).toEqual([
      'HTTP/1.1 429',
      'HTTP/1.1 429',
    ])
    expect(parsed).toHaveBeenCalledTimes(52)
    stopped.mockRestore()
    await http.close()
  })
})

test.each([
  ['2600:3c00::1:0:0:1', '2600:3c00::2:0:0:1', true],
  ['2001:db8:1::1', '2001:db8:1:0:a:b:c:d', true],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
])('%s and %s are one address: %s', (one, other, isOne) => {
  const strangers = createStrangers({ rate_per_s: 1, burst: 1 })
  expect(strangers(one)).toBeUndefined()
  expect(strangers(other) !== undefined).toBe(isOne)
})

describe('requests without a valid key in the log', () => {
  const rejected = {
    request_id: 'r',
    operation: 'listItems',
    status: 401,
    duration_ms: 0,
    address: '192.0.2.1',
  }
  const start = () => {
    const timers = manualTimers()
    const lines: unknown[] = []
    const request = (entry: { address?: string }): void => void lines.push(entry.address ?? 'a known key')
    const info = (_: string, details: unknown): void => void lines.push(details)
    const sums = createKeylessSums({ request, info }, timers)
    return { timers, lines, sums }
  }

  test('take one line a second for an address, however many', () => {
    const { timers, lines, sums } = start()
    for (let at = 0; at < 1000; at++) sums.request({ ...rejected, status: at % 2 === 0 ? 401 : 304 })
    sums.request({ ...rejected, address: '192.0.2.2' })
    expect(lines).toEqual(['192.0.2.1', '192.0.2.2'])
    timers.ring(1000)
    sums.request(rejected)
    expect(lines.splice(0)).toEqual(['192.0.2.1', '192.0.2.2', { address: '192.0.2.1', count: 999 }])
    timers.ring(1000)
    expect(lines.splice(0)).toEqual([{ address: '192.0.2.1', count: 1 }])
    timers.ring(1000)
    sums.request(rejected)
    expect(lines).toEqual(['192.0.2.1'])
  })

  test('keep a line each for requests with a key and for bugs', () => {
    const { lines, sums } = start()
    const { address: _, ...known } = rejected
    for (let at = 0; at < 3; at++) sums.request(known)
    for (let at = 0; at < 3; at++) sums.request({ ...rejected, status: 503 })
    expect(lines).toHaveLength(6)
  })

  test('are counted together beyond a thousand addresses, and logged at the end', () => {
    const { lines, sums } = start()
    for (let at = 0; at < 1500; at++) sums.request({ ...rejected, address: `192.0.${at}` })
    expect(lines).toHaveLength(1001)
    sums.flush()
    expect(lines.at(-1)).toEqual({ address: 'others', count: 499 })
  })
})
