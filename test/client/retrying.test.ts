import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { NetworkError, type NetworkFault } from '../../src/client/network-error.ts'
import { type Retry, type RetryOptions, retrying } from '../../src/client/retrying.ts'
import type { Call, Reply } from '../../src/contract/call.ts'
import { virtualTime } from '../support/virtual-time.ts'

const baseUrl = 'https://custody.test/v1'
const transfer = '{"id":"t","qids":["Q-1"],"total":1,"by_status":{}}'

/** The result of an attempt: an answer, a fault, or never an answer. */
type Outcome =
  | number
  | { status: number; headers?: Record<string, string>; extra?: object; body?: string }
  | NetworkFault
  | 'silence'

/** A service with these outcomes in order; the last one repeats indefinitely. */
function startService(outcomes: readonly Outcome[], options: Partial<RetryOptions> = {}) {
  const time = virtualTime()
  const calls: Call[] = []
  const times: number[] = []
  const retries: Retry[] = []
  const transport = async (call: Call): Promise<Reply> => {
    calls.push(call)
    times.push(time.now())
    return replyTo(outcomes[Math.min(calls.length, outcomes.length) - 1] ?? 200, call)
  }
  const { now, sleep } = time
  const client = createClient({
    transport: retrying(transport, {
      now,
      sleep,
      clock: () => Date.UTC(2026, 4, 1) + now(),
      random: () => 0,
      onRetry: (retry) => retries.push(retry),
      ...options,
    }),
    baseUrl,
    newIdempotencyKey: () => `key ${calls.length}`,
  })
  return { client, calls, times, retries, now }
}

async function replyTo(outcome: Outcome, { signal }: Call): Promise<Reply> {
  if (outcome === 'silence') {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  if (typeof outcome === 'string') throw new NetworkError(outcome, 'no answer')
  const {
    status,
    headers = {},
    extra = {},
    body,
  } = typeof outcome === 'number' ? { status: outcome } : outcome
  const fault = JSON.stringify({ code: 'c', message: 'm', extra })
  return { status, headers, body: body ?? (status < 300 ? transfer : fault) }
}

describe('a passing fault is retried with the same Idempotency-Key', () => {
  test.each<Outcome>([429, 502, 503, 504, 'unreachable', 'unknown_host', 'timeout', 'broken'])(
    '%s',
    async (outcome) => {
      const { client, calls, retries } = startService([outcome, outcome, 201])
      const { data, status } = await client.requestTransfer({ body: { qids: ['Q-1'] } })
      expect([status, data.id]).toEqual([201, 't'])
      expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['key 0', 'key 0', 'key 0'])
      expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2])
    },
  )

  test.each<Outcome>([400, 401, 404, 409, 500, 501, 'untrusted', 'unsendable', 'foreign'])(
    '%s is final',
    async (outcome) => {
      const { client, calls } = startService([outcome])
      await expect(client.requestTransfer({ body: { qids: ['Q-1'] } })).rejects.toThrow()
      expect(calls).toHaveLength(1)
    },
  )

  test('pauses double up to 20 s until two minutes are over', async () => {
    const { client, times } = startService([503])
    await expect(client.getItemSummary({})).rejects.toMatchObject({ status: 503 })
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(pauses.slice(0, 8)).toEqual([125, 250, 500, 1000, 2000, 4000, 8000, 10_000])
    expect(times.at(-1)).toBeGreaterThan(100_000)
    expect(times.at(-1)).toBeLessThanOrEqual(120_000)
  })

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': ' 7 ' }, 7000],
    [{ 'retry-after': 'Fri, 01 May 2026 00:00:09 GMT' }, 9000],
    // By the sender's clock.
    [{ 'retry-after': 'Fri, 01 May 2020 00:00:09 GMT', date: 'Fri, 01 May 2020 00:00:03 GMT' }, 6000],
    [{ 'retry-after': 'Fri, 01 May 2020 00:00:09 GMT' }, 125],
    [{ 'retry-after': 'soon' }, 125],
    [{ 'retry-after': '0' }, 125],
    [{}, 125],
  ])('%j waits %i ms', async (headers, ms) => {
    const { client, times } = startService([{ status: 429, headers }, 200])
    await client.getItemSummary({})
    expect(times).toEqual([0, ms])
  })

  test('a wait longer than the budget does not begin', async () => {
    const { client, times } = startService([{ status: 429, headers: { 'retry-after': '121' } }])
    await expect(client.getItemSummary({})).rejects.toMatchObject({ status: 429 })
    expect(times).toEqual([0])
  })

  test.each([
    [503, false],
    [502, true],
    [504, true],
    [{ status: 503, extra: { outcome: 'unknown' } }, true],
  ])('a call with isTriedOnce is tried once, and after %j it is in doubt: %j', async (outcome, isInDoubt) => {
    const { client, calls } = startService([outcome])
    await expect(client.listEvents({ isTriedOnce: true })).rejects.toMatchObject({ isInDoubt })
    expect(calls).toHaveLength(1)
  })

  test('a deletion not found after a lost answer succeeded; not found at once is an error', async () => {
    const params = { subscription_id: 's' }
    expect((await startService(['broken', 404]).client.deleteSubscription({ params })).status).toBe(204)
    const absent = startService([429, 404]).client.deleteSubscription({ params })
    await expect(absent).rejects.toMatchObject({ status: 404 })
  })
})

describe('a requested time limit', () => {
  test('includes pauses between attempts', async () => {
    const { client, times } = startService([503], { maxWaitMs: 3000 })
    await expect(client.getItemSummary({})).rejects.toMatchObject({ status: 503 })
    expect(times).toEqual([0, 125, 375, 875, 1875])
  })

  test.each<[string, Outcome[]]>([
    ['a service that never answers', ['silence']],
    ['a service that stops answering at the second attempt', [503, 'silence']],
  ])('%s', async (_, outcomes) => {
    const { client, now } = startService(outcomes, { maxWaitMs: 3000 })
    await expect(client.getItemSummary({})).rejects.toMatchObject({
      fault: 'timeout',
      message: 'https://custody.test did not answer within 3 s',
    })
    expect(now()).toBe(3000)
  })

  test.each<[Outcome[], boolean]>([
    [['unreachable'], false],
    [[503, 'unreachable'], false],
    [['broken', 'unreachable'], true],
    [['silence'], true],
    [[504], true],
    [[502, 'unreachable'], true],
    [['broken', 503], true],
    [['broken', 500], true],
    [[504, 429], true],
    [[503], false],
    [[{ status: 503, extra: { outcome: 'unknown' } }], true],
    [[{ status: 503, extra: { outcome: 'unknown' } }, 503], true],
    [[429], false],
    [[500], false],
    [[504, 409], false],
    [['broken', 404], false],
    [['broken', 401], true],
    [[401], false],
    [['broken', { status: 403, body: '<h1>Forbidden</h1>' }], true],
    [['broken', { status: 302, body: '' }], true],
    [[{ status: 302, body: '' }], false],
    [['broken', { status: 200, body: '<h1>Log in</h1>' }], true],
  ])('leaves a request in doubt after %j: %s', async (outcomes, isInDoubt) => {
    const { client } = startService(outcomes, { maxWaitMs: 3000 })
    await expect(client.requestTransfer({ body: { qids: ['Q-1'] } })).rejects.toMatchObject({ isInDoubt })
  })

  test('allows one attempt if it is zero, with the usual time', async () => {
    const { client, calls } = startService(['broken', 200], { maxWaitMs: 0 })
    await expect(client.getItemSummary({})).rejects.toMatchObject({ fault: 'broken' })
    expect(calls).toHaveLength(1)
  })

  test('cuts off nothing that still works before ten minutes if it is missing', async () => {
    const { client, now, calls } = startService(['silence'])
    await expect(client.getItemSummary({})).rejects.toMatchObject({ fault: 'timeout' })
    expect([now(), calls.length]).toEqual([600_000, 1])
  })
})

test.each<[string, Outcome]>([
  ['during an attempt', 'silence'],
  ['during the wait before the next attempt', 503],
])('a signal ends a request at once, %s', async (_, outcome) => {
  const stop = new AbortController()
  const { client, calls } = startService([outcome], { onRetry: () => stop.abort('enough') })
  const asked = client.getItemSummary({ signal: stop.signal })
  if (outcome === 'silence') stop.abort('enough')
  await expect(asked).rejects.toBe('enough')
  expect(calls).toHaveLength(1)
})
