import type { Call, Reply, Transport } from '../contract/call.ts'
import type { Sleep } from '../runtime/waiting.ts'
import { NetworkError } from './network-error.ts'

/** `toldMs`: the limit to name in the message, if `ms` is only what is left of it. */
export type CallLimit = { ms: number; toldMs?: number; sleep: Sleep }

/** Why the wait for an answer is called off; without a reason an exception is made for each call. */
const wasAnswered = 'answered'

/** One call, aborted after `ms` whatever has arrived by then. Throws `NetworkError` `timeout` if it is. */
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
