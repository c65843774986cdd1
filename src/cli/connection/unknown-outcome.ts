import { ServiceError } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import type { Call, Transport } from '../../contract/call.ts'
import { operation as operationOf } from '../../contract/operations.ts'
import { beforeAnyChange, CliError } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'

export const maybeDone = 'It may have been carried out'

/** Says how to repeat an interrupted or unanswered write at most once. Signals abort calls once any code listens to them. */
export function accountable(transport: Transport, io: Pick<Io, 'stopSignal' | 'stopping'>): Transport {
  let stop: AbortSignal | undefined
  let writes = 0
  return async (call) => {
    const isWrite = call.operation !== undefined && operationOf(call.operation).method !== 'GET'
    if (isWrite) writes += 1
    // A caller with an abort signal handles it; a read by itself simply ends with the process.
    if (call.signal === undefined) stop ??= isWrite ? io.stopSignal() : io.stopping?.()
    const isOurs = stop !== undefined && call.signal === undefined
    if (isOurs && stop?.aborted)
      throw writes === 0 ? beforeAnyChange() : new CliError('interrupted', 'Interrupted between requests.')
    const advice = isWrite && call.signal === undefined ? adviceOn(call, writes) : undefined
    try {
      const reply = await transport(isOurs && stop ? { ...call, signal: stop } : call)
      if (advice === undefined) return reply
      if (reply.isInDoubt) stop?.throwIfAborted()
      return { ...reply, advice }
    } catch (error) {
      if (isOurs && stop?.aborted) throw writes === 0 ? beforeAnyChange() : interrupted(advice)
      throw advice ? advisedInDoubt(error, advice) : error
    }
  }
}

export function advisedInDoubt(error: unknown, advice: string): unknown {
  const isKnown = error instanceof NetworkError || error instanceof ServiceError
  if (isKnown && error.isInDoubt) error.advice = advice
  return error
}

/** True if the key belongs to an interrupted write that this write cannot continue. */
export function namesKey({ extra }: ServiceError): boolean {
  const fields = extra.fields as Record<string, unknown> | undefined
  return fields?.['Idempotency-Key'] !== undefined
}

function interrupted(advice: string | undefined): CliError {
  if (advice === undefined) return new CliError('interrupted', 'Interrupted.')
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
