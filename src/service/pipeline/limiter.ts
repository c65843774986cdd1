import { Refusal } from '../../domain/refusal.ts'

/** Tokens per second and the bucket's size (decisions 3). */
export type Rate = { rate_per_s: number; burst: number }

export type Verdict = {
  allowed: boolean
  /** Whole tokens left. */
  remaining: number
  /** Seconds until the bucket is full again. */
  reset_seconds: number
  /** Whole seconds until one token is there; 0 when allowed. */
  retry_after_seconds: number
  rate: Rate
}

/** A token bucket per key, in memory or in the database that several processes share. */
export type Limiter = { take(key: string, nowMs: number): Verdict | Promise<Verdict> }

/** The IETF `RateLimit` fields, on every answer. */
export function limitHeaders(verdict: Verdict): Record<string, string> {
  const { burst, rate_per_s } = verdict.rate
  return {
    ratelimit: `"key";r=${verdict.remaining};t=${Math.ceil(verdict.reset_seconds)}`,
    'ratelimit-policy': `"key";q=${burst};w=${Math.max(1, Math.round(burst / rate_per_s))}`,
  }
}

export function rateLimited(verdict: Verdict): Refusal {
  const seconds = Math.max(1, verdict.retry_after_seconds)
  return new Refusal('rate_limited', `Too many requests with this API key; try again in ${seconds} s.`, {
    retry_after_seconds: seconds,
  })
}
