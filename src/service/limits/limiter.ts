import { Refusal } from '../../domain/refusal.ts'
import type { RateDecision } from '../context.ts'

/** The IETF `RateLimit` fields, on every answer. */
export function limitHeaders(verdict: RateDecision): Record<string, string> {
  const { burst, rate_per_s } = verdict.rate
  return {
    ratelimit: `"key";r=${verdict.remaining};t=${Math.ceil(verdict.reset_seconds)}`,
    'ratelimit-policy': `"key";q=${burst};w=${Math.max(1, Math.round(burst / rate_per_s))}`,
  }
}

export function rateLimited(verdict: RateDecision): Refusal {
  const seconds = Math.max(1, verdict.retry_after_seconds)
  return new Refusal('rate_limited', `Too many requests with this API key; try again in ${seconds} s.`, {
    retry_after_seconds: seconds,
  })
}
