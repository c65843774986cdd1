import type { WebhookEvent } from '../../contract/resources/event.ts'
import { type Backoff, backoffMs, runtime, sleep } from '../../runtime/runtime.ts'
import { CliError } from '../base/cli-error.ts'
import type { LoggedEvent } from './event-pages.ts'

export type Waiting = {
  /** Milliseconds on a monotonic clock. */
  now: () => number
  random: () => number
  /** Never rejects; resolves early once `stop` is aborted. */
  pause: (ms: number, stop: AbortSignal) => Promise<void>
}

export const systemWaiting: Waiting = {
  now: runtime.uptime,
  random: runtime.chance,
  pause: (ms, stop) => sleep(ms, stop).catch(() => undefined),
}

const pauses: Backoff = { firstMs: 500, mostMs: 30_000 }

export function pauseMs(failures: number, chance: number, askedMs = 0): number {
  return Math.max(backoffMs(pauses, failures, chance), askedMs)
}

export function tryingAgain(maxWaitMs: number, until: string): string {
  return `Trying again ${Number.isFinite(maxWaitMs) ? `for up to ${maxWaitMs / 1000} s` : `until ${until}`}.`
}

/** Throws `HandlerFailure` if the operator's command or receiver fails. */
export type Handler = (logged: LoggedEvent, attempt: number) => Promise<void>

/** The message continues a sentence. */
export class HandlerFailure extends Error {
  readonly askedMs: number
  /** A signal ended the command. This process may have received the same signal and notice it a moment later. */
  readonly wasTold: boolean
  constructor(message: string, more: { askedMs?: number | null; wasTold?: boolean } = {}) {
    super(message)
    this.name = 'HandlerFailure'
    this.askedMs = more.askedMs ?? 0
    this.wasTold = more.wasTold ?? false
  }
}

export const failurePolicies = ['retry', 'skip', 'stop'] as const
export type FailurePolicy = (typeof failurePolicies)[number]

/** `left`: not handled because the run stopped; the next run starts with it. */
type Handled = 'handled' | 'skipped' | 'left'

export type OnFailure = {
  policy: FailurePolicy
  /** How long one event is retried after its first failure; Infinity: forever. */
  maxWaitMs: number
  /** Aborted by a stop from outside, or because another event ended the run. */
  stop: AbortSignal
  notice: (text: string) => void
  /** The remedy, if the run ends because of this event. */
  hint: (event: WebhookEvent) => string
  waiting: Waiting
}

/** Within this time, a signal sent to both processes has reached this one too. */
const newsMs = 250

/** A failure during a stop is `left` under every policy, because the stop may have caused it. */
export function withFailurePolicy(
  handler: Handler,
  options: OnFailure,
): (logged: LoggedEvent) => Promise<Handled> {
  const { policy, stop, notice, waiting } = options
  return async (logged) => {
    const hint = options.hint(logged.event)
    const name = `${logged.event.type} ${logged.event.id}`
    let told = ''
    let deadline = Number.POSITIVE_INFINITY
    for (let attempt = 1; ; attempt++) {
      const failure = await handler(logged, attempt).then(() => undefined, failureOf)
      if (failure === undefined) {
        if (attempt > 1) notice(`${name}: handled on attempt ${attempt}`)
        return 'handled'
      }
      const failed = `${name} failed: ${failure.message}.`
      if (failure.wasTold) await waiting.pause(newsMs, stop)
      if (stop.aborted) return left(failed, notice)
      if (policy === 'stop') throw new CliError('some_failed', failed, { hint })
      if (policy === 'skip') {
        notice(`${failed} Skipped.`)
        return 'skipped'
      }
      if (attempt === 1) deadline = waiting.now() + options.maxWaitMs
      const wait = pauseMs(attempt, waiting.random(), failure.askedMs)
      if (waiting.now() + wait > deadline) throw givenUp(failed, attempt, options.maxWaitMs, hint)
      if (failure.message !== told) notice(`${failed} ${tryingAgain(options.maxWaitMs, 'it succeeds')}`)
      told = failure.message
      await waiting.pause(wait, stop)
      if (stop.aborted) return left(failed, notice)
    }
  }
}

function failureOf(error: unknown): HandlerFailure {
  if (error instanceof HandlerFailure) return error
  throw error
}

function left(failed: string, notice: (text: string) => void): 'left' {
  notice(`${failed} The next run handles it.`)
  return 'left'
}

function givenUp(failed: string, attempts: number, maxWaitMs: number, hint: string): CliError {
  const tried =
    attempts === 1 ? '' : ` custody gave up after ${attempts} attempts within ${maxWaitMs / 1000} s.`
  return new CliError('unreachable', `${failed}${tried}`, { hint })
}
