import { ServiceError } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import type { Call, Transport } from '../../contract/call.ts'
import { operation as operationOf } from '../../contract/operations.ts'
import { beforeAnyChange, CliError } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'

export const maybeDone = 'It may have been carried out'

/** Says how to repeat an interrupted or unanswered write at most once. From the first write on, signals abort calls. */
export function accountable(transport: Transport, io: Pick<Io, 'stopSignal' | 'readsEnd'>): Transport {
  let stop: AbortSignal | undefined
  let writes = 0
  return async (call) => {
    const isWrite = call.operation !== undefined && operationOf(call.operation).method !== 'GET'
    // A caller with an abort signal handles it; a read by itself simply ends with the process.
    const isOurs = call.signal === undefined
    if (isOurs) stop ??= isWrite ? io.stopSignal() : io.readsEnd?.()
    if (isOurs && stop?.aborted) throw interrupted(undefined, writes)
    if (isWrite) writes += 1
    if (!isOurs) return transport(call)
    const advice = isWrite ? adviceOn(call, writes) : undefined
    try {
      const reply = await transport(stop ? { ...call, signal: stop } : call)
      if (advice === undefined) return reply
      if (reply.isInDoubt) stop?.throwIfAborted()
      return { ...reply, advice }
    } catch (error) {
      if (stop?.aborted) throw interrupted(advice, writes)
      throw advice ? advisedInDoubt(error, advice) : error
    }
  }
}

export function advisedInDoubt(error: unknown, advice: string): unknown {
  const isKnown = error instanceof NetworkError || error instanceof ServiceError
  if (isKnown && error.isInDoubt) error.advice = advice
  return error
}

function interrupted(advice: string | undefined, writes: number): CliError {
  if (writes === 0) return beforeAnyChange()
  if (advice === undefined) return new CliError('interrupted', 'Interrupted between requests.')
  return new CliError('interrupted', 'Interrupted before the service answered.', { hint: advice })
}

function adviceOn(call: Call, writes: number): string {
  const { operation, headers } = call
  if (operation && operationOf(operation).method !== 'POST')
    return `${maybeDone}: running the same command again is safe.`
  // The operator cannot use the key of one call among several, or of a command without --idempotency-key.
  if (writes > 1 || operation === 'redeliver')
    return `${maybeDone}: check with ls or show before you repeat it.`
  return `${maybeDone}: repeat it with --idempotency-key ${quoted(String(headers['idempotency-key']))} to do it at most once.`
}
