import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followEvents } from '../../../src/cli/events/follow.ts'
import type { Client } from '../../../src/client/client.ts'
import { ServiceError } from '../../../src/client/service-error.ts'
import type { WebhookEvent } from '../../../src/contract/resources/event.ts'

type Asked = { query: Record<string, unknown>; headers: Record<string, string>; signal: AbortSignal }
type Step = WebhookEvent[] | Error

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('following the log', () => {
  test('asks to wait, handles one event after the other, and goes on after the last', async () => {
    const seen = await follow([[event('1'), event('2')], [], [event('3')]], { waits: true })
    expect(seen.handled).toEqual(['1', '2', '3'])
    expect(seen.asked.map(({ query }) => query.starting_after)).toEqual([undefined, '2', '2', '3'])
    expect(seen.asked[0]?.headers).toEqual({ prefer: 'wait=30' })
  })

  test('goes on through faults that pass, and says so once for each', async () => {
    const down = new ServiceError({ status: 503, headers: {}, body: '' })
    const seen = await follow([down, down, [event('1')], down, [event('2')]], { waits: true })
    expect(seen.handled).toEqual(['1', '2'])
    expect(seen.notices).toEqual([
      expect.stringContaining('Trying again until it answers.'),
      'reached again',
      expect.stringContaining('Trying again until it answers.'),
      'reached again',
    ])
  })

  test('ends with what does not pass by itself', async () => {
    const body = JSON.stringify({ code: 'validation_error', message: 'No such cursor.', extra: {} })
    await expect(
      follow([new ServiceError({ status: 400, headers: {}, body })], { waits: true }),
    ).rejects.toThrow('No such cursor.')
  })

  test('of several types those that are wanted are handled, and the cursor passes the others', async () => {
    const seen = await follow([[event('1'), event('2', 'transfer.requested'), event('3')]], {
      waits: true,
      types: new Set(['transfer.requested', 'transfer.completed']),
    })
    expect([seen.handled, seen.passed]).toEqual([['2'], ['3']])
  })

  test('stops after the event in hand: the next is neither handled nor passed', async () => {
    const stop = new AbortController()
    const handled: string[] = []
    const passed: string[] = []
    await followEvents({
      client: clientOf([[event('1'), event('2')]], { waits: true }).client,
      types: undefined,
      after: undefined,
      handle: async ({ id }) => {
        handled.push(id)
        stop.abort()
      },
      passed: (id) => passed.push(id),
      stop: stop.signal,
      notice: () => {},
    })
    expect([handled, passed]).toEqual([['1'], []])
  })

  test('a service that cannot wait is asked again after a pause', async () => {
    const seen = await follow([[], [event('1')]], { waits: false })
    expect(seen.handled).toEqual(['1'])
  })
})

/** Follows until everything was given, with a clock that runs as fast as it is asked to. */
async function follow(steps: Step[], options: { waits: boolean; types?: ReadonlySet<string> }) {
  const stop = new AbortController()
  const { client, asked } = clientOf(steps, options, () => stop.abort())
  const handled: string[] = []
  const passed: string[] = []
  const notices: string[] = []
  const following = followEvents({
    client,
    types: options.types,
    after: undefined,
    handle: async ({ id }) => {
      handled.push(id)
    },
    passed: (id) => passed.push(id),
    stop: stop.signal,
    notice: (text) => notices.push(text),
  })
  let isOver = false
  const ending = following.finally(() => {
    isOver = true
  })
  const driving = (async () => {
    while (!isOver) await vi.advanceTimersByTimeAsync(60_000)
  })()
  await Promise.all([ending, driving])
  return { handled, passed, notices, asked }
}

function clientOf(steps: Step[], { waits }: { waits: boolean }, atEnd: () => void = () => {}) {
  const asked: Asked[] = []
  const left = [...steps]
  const listEvents = async (request: Asked) => {
    asked.push(request)
    const step = left.shift()
    if (step === undefined) atEnd()
    if (step instanceof Error) throw step
    const results = step ?? []
    const headers = waits ? { 'preference-applied': 'wait=30' } : {}
    return { data: { has_more: false, next_starting_after: null, results }, headers, text: '', status: 200 }
  }
  return { client: { listEvents } as unknown as Client, asked }
}

function event(id: string, type = 'item.status.changed'): WebhookEvent {
  return { id, type, created_at: '2026-05-01T00:00:00.000Z', data: {} } as unknown as WebhookEvent
}
