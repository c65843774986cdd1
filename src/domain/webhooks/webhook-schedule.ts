import { type RetryHeaders, retryAfterMs } from '../../contract/call.ts'
import { timeAt } from '../utc-time.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long after the attempt before each attempt is made (decisions 9). */
const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
const jitter = 0.2
/** The longest that a receiver's Retry-After can delay us: our own longest delay. */
const retryAfterMaxMs = 24 * hour
const givenUpAfterMs = 5 * day
/** How long a delivery that is over can be looked at and queued again. */
export const deliveryKeptMs = 30 * day

/**
 * When to try again after `made` failed attempts of a round; null when all have been made: the delivery is dead.
 * `now` is the end of the last one (ISO 8601), `chance` in [0, 1) places it within the jitter, and it is never before
 * `askedMs`, the receiver's own wish.
 */
export function nextAttemptAt(
  now: string,
  made: number,
  chance: number,
  askedMs: number | null,
): string | null {
  const delay = attemptDelaysMs[made]
  if (delay === undefined) return null
  const spread = delay * (1 - jitter + 2 * jitter * chance)
  return after(now, Math.max(spread, askedMs ?? 0))
}

/** A time `ms` after another, capped at the last year that a timestamp can express. */
export function after(now: string, ms: number): string {
  return timeAt(Date.parse(now) + ms)
}

/** For how long a receiver asks to be left alone, at most a day; null where it does not. */
export function askedDelayMs(headers: Readonly<RetryHeaders>, nowMs: number): number | null {
  const asked = retryAfterMs(headers, nowMs)
  return asked === undefined ? null : Math.min(asked, retryAfterMaxMs)
}

/** Whether a subscription has failed for so long that it is deactivated (decisions 9). */
export function isGivenUp(failingSince: string, now: string): boolean {
  return Date.parse(now) - Date.parse(failingSince) >= givenUpAfterMs
}
