import { type RetryHeaders, retryAfterMs } from '../../contract/call.ts'
import { timeAt } from '../utc-time.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Delay of each attempt after the one before (decisions 9). */
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
/** Maximum effect of Retry-After: the longest delay of the schedule. */
const retryAfterMaxMs = 24 * hour
const givenUpAfterMs = 5 * day
/** Finished deliveries can be read and queued again for this long. */
export const deliveryKeptMs = 30 * day

/** Null if all attempts are made. `chance` in [0, 1) sets the jitter; never before `askedMs`, the receiver's Retry-After. */
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
  return Date.parse(now) - Date.parse(failingSince) >= givenUpAfterMs
}
