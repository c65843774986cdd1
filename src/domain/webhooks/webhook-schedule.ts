import { type RetryHeaders, retryAfterMs } from '../../contract/call.ts'
import { attemptDelaysSeconds, dayMs, failingDaysMax } from '../../contract/limits.ts'
import type { Delivery } from '../../contract/resources/event.ts'
import { timeAt } from '../utc-time.ts'

export type AttemptResult = {
  response_code: number | null
  error: string | null
  retry_after_ms: number | null
}

export type AttemptOutcome = Pick<Delivery, 'status' | 'response_code' | 'last_error' | 'next_attempt_at'>

export type Health = { active: boolean; failing_since: string | null; paused_until: string | null }

/** Only 2xx is a success (decisions 9); a redirect is not followed. */
export function isSuccess({ response_code }: AttemptResult): boolean {
  return Math.floor((response_code ?? 0) / 100) === 2
}

function isGone({ response_code }: AttemptResult): boolean {
  return response_code === 410
}

/** `made`: the number of the attempt in its round, which ended at `now`. The last attempt and a 410 make the delivery dead. */
export function outcomeOf(result: AttemptResult, made: number, now: string, chance: number): AttemptOutcome {
  const { response_code } = result
  if (isSuccess(result))
    return { status: 'delivered', response_code, last_error: null, next_attempt_at: null }
  const last_error = result.error ?? `The receiver answered ${response_code}.`
  const next = isGone(result) ? null : nextAttemptAt(now, made, chance, result.retry_after_ms)
  return { status: next === null ? 'dead' : 'pending', response_code, last_error, next_attempt_at: next }
}

/** A 410 deactivates the subscription, and so do five days without a success (decisions 9). */
export function healthAfter(before: Health, result: AttemptResult, now: string): Health {
  if (isSuccess(result)) return { ...before, failing_since: null }
  const failing_since = before.failing_since ?? now
  const active = before.active && !isGone(result) && !isGivenUp(failing_since, now)
  return { active, failing_since, paused_until: pauseAfter(before.paused_until, result, now) }
}

function pauseAfter(before: string | null, { retry_after_ms }: AttemptResult, now: string): string | null {
  if (retry_after_ms === null) return before
  const until = after(now, retry_after_ms)
  return before !== null && before > until ? before : until
}

const jitter = 0.2
const retryAfterMaxMs = 1000 * Math.max(...attemptDelaysSeconds)
/** Finished deliveries can be read and queued again for this long. */
export const deliveryKeptMs = 30 * dayMs

/** Null if all attempts are made. `chance` in [0, 1) sets the jitter; never before `askedMs`, the receiver's Retry-After. */
export function nextAttemptAt(
  now: string,
  made: number,
  chance: number,
  askedMs: number | null,
): string | null {
  const seconds = attemptDelaysSeconds[made]
  if (seconds === undefined) return null
  const spread = 1000 * seconds * (1 - jitter + 2 * jitter * chance)
  return after(now, Math.max(spread, askedMs ?? 0))
}

export function after(now: string, ms: number): string {
  return timeAt(Date.parse(now) + ms)
}

/** At most a day; null if the receiver asks for none. */
export function askedDelayMs(headers: Readonly<RetryHeaders>, nowMs: number): number | null {
  const asked = retryAfterMs(headers, nowMs)
  return asked === undefined ? null : Math.min(asked, retryAfterMaxMs)
}

/** Whether a subscription has failed for five days, after which it is deactivated (decisions 9). */
export function isGivenUp(failingSince: string, now: string): boolean {
  return Date.parse(now) - Date.parse(failingSince) >= failingDaysMax * dayMs
}
