import { type Call, parsedJson, type Reply, retryAfterMs, type Transport } from '../contract/call.ts'
import { maxWaitMinutesDefault } from '../contract/limits.ts'
import { operation as operationOf } from '../contract/operations.ts'
import { type Backoff, backoffMs, runtime, type Sleep, sleep } from '../runtime/runtime.ts'
import { isErrorText } from './client.ts'
import { isJsonText } from './foreign-answer.ts'
import { NetworkError, type NetworkFault } from './network-error.ts'

export type RetryOptions = {
  /** Milliseconds for all attempts; 0: one attempt. Default: attempts start for two minutes, and none runs longer than ten. */
  maxWaitMs?: number | undefined
  onRetry?: ((retry: Retry) => void) | undefined
} & Partial<Machine>

/** By default the machine's own. */
type Machine = {
  /** Milliseconds on a monotonic clock. */
  now: () => number
  /** Milliseconds since 1970, for a `Retry-After` date. */
  clock: () => number
  sleep: Sleep
  random: () => number
}

export type Retry = { attempt: number; waitMs: number; status?: number; error?: NetworkError }

export const maxWaitDefaultMs = 60_000 * maxWaitMinutesDefault
/** Longer than any upload takes: by default, a slow call that works is not cut off. */
const longestCallMs = 600_000
const pauses: Backoff = { firstMs: 250, mostMs: 20_000 }
/** The service, or a proxy, could not accept the request now. */
const passing = new Set([429, 502, 503, 504])
/** A proxy got no response, so the request may have reached the service. */
const unsettled = new Set([502, 504])
const lasting = new Set<NetworkFault>(['unsendable', 'untrusted', 'foreign'])

/** Retries keep the Idempotency-Key, so that nothing is done twice. Waits as `Retry-After` says, or exponentially with jitter. */
export function retrying(transport: Transport, given: RetryOptions): Transport {
  const { uptime: now, clock, chance: random } = runtime
  const options = { now, clock, sleep, random, ...given }
  return async (call) => {
    const { maxWaitMs = maxWaitDefaultMs } = options
    const started = options.now()
    const endMs = (!call.isTriedOnce && options.maxWaitMs) || longestCallMs
    let wasBroken = false
    let isInDoubt = false
    for (let attempt = 1; ; attempt++) {
      const left = started + endMs - options.now()
      const tried = await tryOnce(transport, call, { ms: left, toldMs: endMs, sleep: options.sleep })
      isInDoubt ||= tried.error ? tried.error.isInDoubt : leavesDoubt(tried.reply)
      const waitMs = call.isTriedOnce ? undefined : pauseAfter(tried, attempt, options)
      const isTooLate = waitMs !== undefined && options.now() + waitMs > started + maxWaitMs
      if (waitMs === undefined || isTooLate) return settle(tried, call, { wasBroken, isInDoubt })
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

async function tryOnce(transport: Transport, call: Call, limit: CallLimit): Promise<Tried> {
  try {
    return { reply: await callWithin(transport, call, limit) }
  } catch (error) {
    if (error instanceof NetworkError) return { error }
    throw error
  }
}

/** A proxy got no response, or the service lost its database while committing. */
function leavesDoubt({ status, body }: Reply): boolean {
  if (status !== 503) return unsettled.has(status)
  const { extra } = (parsedJson(body) ?? {}) as { extra?: { outcome?: unknown } }
  return extra?.outcome === 'unknown'
}

function pauseAfter(
  { reply, error }: Tried,
  attempt: number,
  { random, clock }: Machine,
): number | undefined {
  if (error && lasting.has(error.fault)) return undefined
  if (reply && !passing.has(reply.status)) return undefined
  const told = reply && retryAfterMs(reply.headers, clock())
  if (told !== undefined) return told + Math.round(random() * pauses.firstMs)
  return backoffMs(pauses, attempt, random())
}

function settle(
  { reply, error }: Tried,
  call: Call,
  before: { wasBroken: boolean; isInDoubt: boolean },
): Reply {
  const { wasBroken, isInDoubt } = before
  if (error) {
    error.isInDoubt = isInDoubt
    throw error
  }
  // An earlier attempt whose response was lost may have deleted it already, as requested.
  const isDelete = call.operation !== undefined && operationOf(call.operation).method === 'DELETE'
  if (isDelete && wasBroken && reply.status === 404 && isErrorText(reply.body))
    return { ...reply, status: 204, body: '' }
  if (isInDoubt && isUninformative(reply)) return { ...reply, isInDoubt: true }
  return wasBroken ? { ...reply, isRepeat: true } : reply
}

/** Whether the response says nothing about earlier attempts. Any other response holds for all of them: they share a key. */
function isUninformative({ status, body }: Reply): boolean {
  // A key that is now invalid may have been valid then; a body that is not an Error comes from a proxy.
  if (status < 300) return body !== '' && !isJsonText(body)
  return status === 401 || status === 429 || status >= 500 || !isErrorText(body)
}

type CallLimit = { ms: number; toldMs?: number; sleep: Sleep }

/** A constant reason, because abort() without one creates an exception for each call. */
const wasAnswered = 'answered'

export async function callWithin(
  transport: Transport,
  call: Call,
  { ms, toldMs = ms, sleep }: CallLimit,
): Promise<Reply> {
  const late = new AbortController()
  const answered = new AbortController()
  const giveUp = (): void => late.abort(lateError(call, toldMs))
  sleep(ms, answered.signal).then(giveUp, () => {})
  const signal = call.signal ? AbortSignal.any([call.signal, late.signal]) : late.signal
  try {
    return await transport({ ...call, signal })
  } finally {
    answered.abort(wasAnswered)
  }
}

function lateError({ baseUrl }: Call, ms: number): NetworkError {
  return new NetworkError('timeout', `${new URL(baseUrl).origin} did not answer within ${ms / 1000} s`)
}
