import { CliError } from '../base/cli-error.ts'
import { pauseMs, tryingAgain, type Waiting } from './backoff.ts'
import { type Handler, HandlerFailure } from './handler.ts'
import type { LoggedEvent } from './logged-event.ts'

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
  hint: string
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
    const name = `${logged.event.type} ${logged.event.id}`
    let told = ''
    let deadline = Number.POSITIVE_INFINITY
    for (let attempt = 1; ; attempt++) {
      const failure = await failureOf(handler, logged, attempt)
      if (failure === undefined) {
        if (attempt > 1) notice(`${name}: handled on attempt ${attempt}`)
        return 'handled'
      }
      const failed = `${name} failed: ${failure.message}.`
      if (failure.wasTold) await waiting.pause(newsMs, stop)
      if (stop.aborted) return left(failed, notice)
      if (policy === 'stop') throw new CliError('some_failed', failed, { hint: options.hint })
      if (policy === 'skip') {
        notice(`${failed} Skipped.`)
        return 'skipped'
      }
      if (attempt === 1) deadline = waiting.now() + options.maxWaitMs
      const wait = pauseMs(attempt, waiting.random(), failure.askedMs)
      if (waiting.now() + wait > deadline) throw givenUp(failed, attempt, options)
      if (failure.message !== told) notice(`${failed} ${tryingAgain(options.maxWaitMs, 'it succeeds')}`)
      told = failure.message
      await waiting.pause(wait, stop)
      if (stop.aborted) return left(failed, notice)
    }
  }
}

async function failureOf(
  handler: Handler,
  logged: LoggedEvent,
  attempt: number,
): Promise<HandlerFailure | undefined> {
  try {
    await handler(logged, attempt)
    return undefined
  } catch (error) {
    if (error instanceof HandlerFailure) return error
    throw error
  }
}

function left(failed: string, notice: (text: string) => void): 'left' {
  notice(`${failed} The next run handles it.`)
  return 'left'
}

function givenUp(failed: string, attempts: number, { maxWaitMs, hint }: OnFailure): CliError {
  const tried = attempts === 1 ? '' : ` Tried ${attempts} times within ${maxWaitMs / 1000} s.`
  return new CliError('unreachable', `${failed}${tried}`, { hint })
}
