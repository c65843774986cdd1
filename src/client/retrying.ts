import type { Call, Reply, Transport } from '../contract/call.ts'
import { operation as operationOf } from '../contract/operations.ts'
import { NetworkError } from './network-error.ts'

export type RetryOptions = {
  /** How long all tries of one call may take together, in milliseconds; 0 never tries again (default two minutes). */
  maxWaitMs?: number
  /** Milliseconds on a clock that only goes forward. */
  now: () => number
  /** Waits so many milliseconds; rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** In [0, 1). */
  random: () => number
  /** Told before each wait. */
  onRetry?: (retry: Retry) => void
}

/** What went wrong and how long the wait for the next try is. */
export type Retry = { attempt: number; waitMs: number; status?: number; error?: NetworkError }

const firstPauseMs = 250
const longestPauseMs = 20_000
/** The service, or what stands before it, could not take the request just now. */
const passing = new Set([429, 502, 503, 504])

/**
 * A transport that tries again after a network fault and 429, 502, 503, 504: the same call, with the same Idempotency-Key, so
 * that nothing is done twice. Waits what `Retry-After` says, else twice as long each time with jitter, while the budget lasts.
 */
export function retrying(transport: Transport, options: RetryOptions): Transport {
  return async (call) => {
    const deadline = options.now() + (options.maxWaitMs ?? 120_000)
    let wasBroken = false
    for (let attempt = 1; ; attempt++) {
      const tried = await attemptOf(transport, call)
      const waitMs = pauseAfter(tried, attempt, options.random())
      if (waitMs === undefined || options.now() + waitMs > deadline) return settle(tried, call, wasBroken)
      wasBroken ||= tried.error !== undefined || tried.reply?.status !== 429
      options.onRetry?.({
        attempt,
        waitMs,
        ...(tried.reply && { status: tried.reply.status }),
        ...(tried.error && { error: tried.error }),
      })
      await options.sleep(waitMs, call.signal)
    }
  }
}

type Tried = { reply: Reply; error?: undefined } | { error: NetworkError; reply?: undefined }

async function attemptOf(transport: Transport, call: Call): Promise<Tried> {
  try {
    return { reply: await transport(call) }
  } catch (error) {
    if (error instanceof NetworkError) return { error }
    throw error
  }
}

/** Milliseconds until the next try; undefined where another would change nothing. */
function pauseAfter({ reply, error }: Tried, attempt: number, chance: number): number | undefined {
  if (error?.fault === 'unsendable' || error?.fault === 'untrusted') return undefined
  if (reply && !passing.has(reply.status)) return undefined
  const told = Number(reply?.headers['retry-after'])
  if (told > 0) return told * 1000 + Math.round(chance * firstPauseMs)
  const pause = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)
  return Math.round(pause * (0.5 + chance / 2))
}

function settle({ reply, error }: Tried, call: Call, wasBroken: boolean): Reply {
  if (error) throw error
  // An earlier try whose answer was lost may have deleted it already: it is gone, which is what was asked for.
  const isDelete = call.operation !== undefined && operationOf(call.operation).method === 'DELETE'
  return isDelete && wasBroken && reply.status === 404 ? { ...reply, status: 204, body: '' } : reply
}
