import { describe, expect, test } from 'vitest'
import { type Follow, followEvents } from '../../../src/cli/events/feed.ts'
import type { Waiting } from '../../../src/cli/events/on-failure.ts'
import { type Client, ServiceError } from '../../../src/client/client.ts'
import { NetworkError } from '../../../src/client/network-error.ts'
import type { WebhookEvent } from '../../../src/contract/resources/event.ts'

type Asked = {
  query: Record<string, unknown>
  headers?: Record<string, string>
  signal: AbortSignal
  isTriedOnce: boolean
}
type Step = WebhookEvent[] | Error | 'silence'

const down = new ServiceError({ status: 503, headers: {}, body: '' })

describe('following the log', () => {
  test('asks to wait, handles events one after the other, and continues after the last', async () => {
    const seen = await follow([[event('1'), event('2')], [], [event('3')]])
    expect(seen.handled).toEqual(['1', '2', '3'])
    expect(seen.asked.map(({ query }) => query.starting_after)).toEqual([undefined, '2', '2', '3'])
    expect(seen.asked[0]?.headers).toEqual({ prefer: 'wait=30' })
    expect(seen.pauses).toEqual([])
  })

  test('survives passing faults and reports each once', async () => {
    const seen = await follow([down, down, [event('1')], down, [event('2')]])
    expect(seen.handled).toEqual(['1', '2'])
    expect(seen.notices).toEqual([
      expect.stringContaining('Trying again until it answers.'),
      'connected again',
      expect.stringContaining('Trying again until it answers.'),
      'connected again',
    ])
  })

  test('waits in silence if it has to wait once, because an import uses the same key', async () => {
    const busy = new ServiceError({ status: 429, headers: {}, body: '' })
    expect((await follow([busy, [event('1')], busy, [event('2')]])).notices).toEqual([])
    expect((await follow([busy, busy, busy, [event('1')]])).notices).toHaveLength(2)
  })

  test('waits longer after each fault, as long as the service asks, and then for an immediate answer', async () => {
    const busy = new ServiceError({ status: 429, headers: { 'retry-after': '7' }, body: '' })
    // Dates follow the service's clock, which may differ from this machine's by years.
    const dates = { 'retry-after': 'Fri, 01 May 2015 09:00:09 GMT', date: 'Fri, 01 May 2015 09:00:00 GMT' }
    const later = new ServiceError({ status: 503, headers: dates, body: '' })
    const seen = await follow([down, down, down, busy, later, [], [event('1')]])
    expect(seen.pauses).toEqual([375, 750, 1500, 7000, 9000])
    expect(seen.asked.map(({ headers }) => headers?.prefer)).toEqual([
      'wait=30',
      ...Array.from({ length: 5 }, () => undefined),
      'wait=30',
      'wait=30',
    ])
    expect(seen.asked.every(({ isTriedOnce }) => isTriedOnce)).toBe(true)
  })

  test.each([down, new NetworkError('unreachable', 'Nothing answers')])(
    'exits with %o if a fault outlasts --max-wait, counted from the last answer',
    async (fault) => {
      const steps = [fault, fault, fault, [event('1')], ...Array.from({ length: 50 }, () => fault)]
      const seen = followed(steps, { maxWaitMs: 10_000 })
      await expect(seen.end).rejects.toBe(fault)
      expect(seen.handled).toEqual(['1'])
      // 375 + 750 + 1500 + 3000 ms; the next pause would exceed the limit.
      expect(seen.pauses.slice(3)).toEqual([375, 750, 1500, 3000])
      expect(seen.notices.at(-1)).toContain('Trying again for up to 10 s.')
    },
  )

  test('gives up on a hanging service at --max-wait too', async () => {
    const seen = followed([down, 'silence'], { maxWaitMs: 400 })
    await expect(seen.end).rejects.toBe(down)
    expect(seen.asked).toHaveLength(2)
  })

  test('ends at the first fault with --max-wait 0', async () => {
    const seen = followed([down], { maxWaitMs: 0 })
    await expect(seen.end).rejects.toBe(down)
    expect([seen.asked.length, seen.notices]).toEqual([1, []])
  })

  test('ends at a lasting fault', async () => {
    const body = JSON.stringify({ code: 'validation_error', message: 'No such cursor.', extra: {} })
    await expect(follow([new ServiceError({ status: 400, headers: {}, body })])).rejects.toThrow(
      'No such cursor.',
    )
  })

  test('does not mistake a fault of the handler for one of the service', async () => {
    const fault = new NetworkError('unreachable', 'of the handler')
    const handle = async () => {
      throw fault
    }
    const seen = followed([[event('1')], [event('2')]], { handle })
    await expect(seen.end).rejects.toBe(fault)
    expect(seen.asked).toHaveLength(1)
  })

  test('handles only the wanted ones of several types, and the cursor passes the others', async () => {
    const types = new Set(['transfer.requested', 'transfer.completed'])
    const seen = await follow([[event('1'), event('2', 'transfer.requested'), event('3')]], { types })
    expect([seen.handled, seen.passed]).toEqual([['2'], ['3']])
  })

  test('stops after the current event and neither handles nor passes the next', async () => {
    const handled: string[] = []
    const seen = followed([[event('1'), event('2')]], {
      handle: async (logged) => {
        handled.push(logged.event.id)
        seen.stop()
      },
    })
    await seen.end
    expect([handled, seen.passed]).toEqual([['1'], []])
  })

  test('polls a service that cannot wait after a pause', async () => {
    const seen = await follow([[], [event('1')]], {}, false)
    expect([seen.handled, seen.pauses]).toEqual([['1'], [2000, 2000]])
  })
})

/** Follows until every event was printed. */
async function follow(steps: Step[], options: Partial<Follow> = {}, waits = true) {
  const seen = followed(steps, options, waits)
  await seen.end
  return seen
}

/** Pauses end at once, but advance a clock. */
function followed(steps: Step[], options: Partial<Follow>, waits = true) {
  const stop = new AbortController()
  const { client, asked } = clientOf(steps, waits, () => stop.abort())
  const handled: string[] = []
  const passed: string[] = []
  const notices: string[] = []
  const pauses: number[] = []
  let now = 0
  const waiting: Waiting = {
    now: () => now,
    random: () => 0.5,
    pause: async (ms) => {
      pauses.push(ms)
      now += ms
    },
  }
  const end = followEvents({
    client,
    types: undefined,
    after: undefined,
    handle: async ({ event: { id } }) => {
      handled.push(id)
    },
    passed: (id) => passed.push(id),
    stop: stop.signal,
    notice: (text) => notices.push(text),
    maxWaitMs: undefined,
    waiting,
    ...options,
  })
  return { end, stop: () => stop.abort(), handled, passed, notices, pauses, asked }
}

function clientOf(steps: Step[], waits: boolean, atEnd: () => void) {
  const asked: Asked[] = []
  const left = [...steps]
  const listEvents = async (request: Asked) => {
    asked.push(request)
    const step = left.shift()
    if (step === undefined) atEnd()
    if (step instanceof Error) throw step
    if (step === 'silence') await silence(request.signal)
    const results = step ?? []
    const headers = waits && request.headers ? { 'preference-applied': 'wait=30' } : {}
    const data = { has_more: false, next_starting_after: null, results }
    return { data, headers, text: JSON.stringify(data), status: 200 }
  }
  return { client: { listEvents } as unknown as Client, asked }
}

/** Does not answer until the caller gives up. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

function event(id: string, type = 'item.status.changed'): WebhookEvent {
  return { id, type, created_at: '2026-05-01T00:00:00.000Z', data: {} } as unknown as WebhookEvent
}
