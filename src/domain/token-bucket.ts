/** So many requests a second in the long run, and so many at once after a pause (decisions 3). */
export type Rate = {
  /** Tokens that flow in each second; above 0. */
  rate_per_s: number
  /** Tokens the bucket holds; at least 1. */
  burst: number
}

/** A bucket, as kept between calls. In thousandths of a token, whole numbers of milliseconds keep whole levels exact. */
export type BucketState = { level_milli: number; at_ms: number }

export type BucketAnswer = {
  allowed: boolean
  state: BucketState
  /** Requests that would be allowed at this instant. */
  remaining: number
  /** Whole seconds after which the bucket is full again. */
  reset_seconds: number
  /** Whole seconds after which one request is allowed: 0 when this one was, else at least 1. */
  retry_after_seconds: number
}

const tokenMilli = 1000

/**
 * Takes one token at `nowMs` (milliseconds since any fixed instant), if there is one. A bucket not seen before (null) is
 * full. In any span of t seconds at most `burst + rate_per_s * t` are allowed; a clock that goes back adds nothing, and starves nobody.
 */
export function take(state: BucketState | null, nowMs: number, limit: Rate): BucketAnswer {
  const filled = refill(state, nowMs, limit)
  const allowed = filled.level_milli >= tokenMilli
  const level = allowed ? filled.level_milli - tokenMilli : filled.level_milli
  return bucketAnswer(allowed, { level_milli: level, at_ms: filled.at_ms }, limit)
}

/** What a bucket answers that stands so after the request. */
export function bucketAnswer(allowed: boolean, state: BucketState, limit: Rate): BucketAnswer {
  const level = state.level_milli
  return {
    allowed,
    state,
    remaining: Math.floor(level / tokenMilli),
    reset_seconds: secondsUntil(limit.burst * tokenMilli, level, limit),
    retry_after_seconds: allowed ? 0 : secondsUntil(tokenMilli, level, limit),
  }
}

/** One token a second is one thousandth of a token a millisecond. */
function refill(state: BucketState | null, nowMs: number, limit: Rate): BucketState {
  const full = limit.burst * tokenMilli
  if (state === null) return { level_milli: full, at_ms: nowMs }
  // Set back further than a bucket takes to fill, the clock was put right: what is left counts on from there.
  if (nowMs < state.at_ms - full / limit.rate_per_s) return { level_milli: state.level_milli, at_ms: nowMs }
  const elapsedMs = Math.max(0, nowMs - state.at_ms)
  const level = Math.min(full, state.level_milli + elapsedMs * limit.rate_per_s)
  return { level_milli: level, at_ms: state.at_ms + elapsedMs }
}

function secondsUntil(wanted: number, level: number, limit: Rate): number {
  return Math.ceil((wanted - level) / (limit.rate_per_s * tokenMilli))
}
