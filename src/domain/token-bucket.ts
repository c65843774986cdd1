export type Rate = {
  /** Tokens added per second; above 0. */
  rate_per_s: number
  /** Capacity in tokens; at least 1. */
  burst: number
}

/** Thousandths of a token, because whole milliseconds then keep whole levels exact. */
export type BucketState = { level_milli: number; at_ms: number }

export type BucketAnswer = {
  allowed: boolean
  state: BucketState
  remaining: number
  /** Whole seconds after which the bucket is full again. */
  reset_seconds: number
  /** Whole seconds until a request is allowed: 0 if this one was, otherwise at least 1. */
  retry_after_seconds: number
}

const tokenMilli = 1000

/** Allows at most `burst + rate_per_s * t` in t seconds; a clock that goes back adds no tokens and blocks no client. */
export function take(state: BucketState | null, nowMs: number, limit: Rate): BucketAnswer {
  const filled = refill(state, nowMs, limit)
  const allowed = filled.level_milli >= tokenMilli
  const level = allowed ? filled.level_milli - tokenMilli : filled.level_milli
  return bucketAnswer(allowed, { level_milli: level, at_ms: filled.at_ms }, limit)
}

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
  // Set back further than a bucket takes to fill, the clock was corrected: the level continues from there.
  if (nowMs < state.at_ms - full / limit.rate_per_s) return { level_milli: state.level_milli, at_ms: nowMs }
  const elapsedMs = Math.max(0, nowMs - state.at_ms)
  const level = Math.min(full, state.level_milli + elapsedMs * limit.rate_per_s)
  return { level_milli: level, at_ms: state.at_ms + elapsedMs }
}

function secondsUntil(wanted: number, level: number, limit: Rate): number {
  return Math.ceil((wanted - level) / (limit.rate_per_s * tokenMilli))
}
