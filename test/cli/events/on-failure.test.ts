import { describe, expect, test } from 'vitest'
import type { CliError } from '../../../src/cli/base/cli-error.ts'
import type { LoggedEvent } from '../../../src/cli/events/event-pages.ts'
import { HandlerFailure, type OnFailure, withFailurePolicy } from '../../../src/cli/events/on-failure.ts'
import type { WebhookEvent } from '../../../src/contract/resources/event.ts'

const logged: LoggedEvent = {
  event: { id: 'e1', type: 'transfer.requested' } as unknown as WebhookEvent,
  text: () => '{}',
}
const broken = new HandlerFailure('it broke')

describe('an event that fails', () => {
  test('is retried with growing pauses until it succeeds, and each failure and the success are reported once', async () => {
    const seen = await deal([broken, broken, broken, new HandlerFailure('it hangs'), 'ok'])
    expect(seen.result).toBe('handled')
    expect(seen.attempts).toEqual([1, 2, 3, 4, 5])
    expect(seen.pauses).toEqual([375, 750, 1500, 3000])
    expect(seen.notices).toEqual([
      'transfer.requested e1 failed: it broke. Trying again until it succeeds.',
      'transfer.requested e1 failed: it hangs. Trying again until it succeeds.',
      'transfer.requested e1: handled on attempt 5',
    ])
  })

  test('is retried no earlier than the receiver asks, and otherwise at least every half minute', async () => {
    const failures = Array.from({ length: 12 }, () => broken)
    const seen = await deal([new HandlerFailure('busy', { askedMs: 60_000 }), ...failures, 'ok'])
    expect(seen.pauses[0]).toBe(60_000)
    expect(Math.max(...seen.pauses.slice(1))).toBe(22_500)
  })

  test('ends the run with 8 when --max-wait is over', async () => {
    const seen = await deal(
      Array.from({ length: 9 }, () => broken),
      { maxWaitMs: 4000 },
    )
    expect(seen.error).toMatchObject({ ending: 'unreachable', hint: 'begin at e1' })
    expect(seen.error?.message).toBe(
      'transfer.requested e1 failed: it broke. custody gave up after 4 attempts within 4 s.',
    )
    expect(seen.pauses).toEqual([375, 750, 1500])
  })

  test('is tried once with --max-wait 0', async () => {
    const seen = await deal([broken], { maxWaitMs: 0 })
    expect([seen.attempts, seen.error?.message]).toEqual([[1], 'transfer.requested e1 failed: it broke.'])
  })

  test('is skipped, with a message, if the policy says so', async () => {
    const seen = await deal([broken], { policy: 'skip' })
    expect([seen.result, seen.notices]).toEqual([
      'skipped',
      ['transfer.requested e1 failed: it broke. Skipped.'],
    ])
  })

  test('ends the run with 9 if the policy says so', async () => {
    const seen = await deal([broken], { policy: 'stop' })
    expect(seen.error).toMatchObject({ ending: 'some_failed', hint: 'begin at e1' })
  })

  test.each(['retry', 'skip', 'stop'] as const)(
    'is not retried during a stop, also with %s',
    async (policy) => {
      const seen = await deal([broken, 'ok'], { policy, stop: AbortSignal.abort() })
      expect([seen.result, seen.attempts]).toEqual(['left', [1]])
      expect(seen.notices).toEqual(['transfer.requested e1 failed: it broke. The next run handles it.'])
    },
  )

  test.each(['retry', 'skip', 'stop'] as const)(
    'is not retried if its command was told to end and a stop follows shortly, also with %s',
    async (policy) => {
      const stop = new AbortController()
      const told = new HandlerFailure('it was ended', { wasTold: true })
      const seen = await deal([told, 'ok'], { policy, stop: stop.signal }, () => stop.abort())
      expect([seen.result, seen.pauses]).toEqual(['left', [250]])
      const alone = await deal([told], { policy: 'skip' })
      expect(alone.result).toBe('skipped')
    },
  )

  test('is abandoned at once if the stop comes during a pause', async () => {
    const stop = new AbortController()
    const seen = await deal([broken, 'ok'], { stop: stop.signal }, () => stop.abort())
    expect([seen.result, seen.attempts]).toEqual(['left', [1]])
  })

  test('is not retried after a bug of custody', async () => {
    const seen = await deal([new TypeError('of ours'), 'ok'])
    expect(seen.error?.message).toBe('of ours')
    expect(seen.attempts).toEqual([1])
  })
})

/** Handles one event; each attempt ends as its step says. Pauses end at once, but advance a clock. */
async function deal(steps: Array<Error | 'ok'>, options: Partial<OnFailure> = {}, inPause = () => {}) {
  const attempts: number[] = []
  const pauses: number[] = []
  const notices: string[] = []
  let now = 0
  const handle = withFailurePolicy(
    async (_, attempt) => {
      attempts.push(attempt)
      const step = steps[attempt - 1]
      if (step instanceof Error) throw step
    },
    {
      policy: 'retry',
      maxWaitMs: Number.POSITIVE_INFINITY,
      stop: new AbortController().signal,
      notice: (text) => notices.push(text),
      hint: ({ id }) => `begin at ${id}`,
      waiting: {
        now: () => now,
        random: () => 0.5,
        pause: async (ms) => {
          pauses.push(ms)
          now += ms
          inPause()
        },
      },
      ...options,
    },
  )
  const end = await handle(logged).then(
    (result) => ({ result, error: undefined }),
    (error: Error | CliError) => ({ result: undefined, error }),
  )
  return { ...end, attempts, pauses, notices }
}
