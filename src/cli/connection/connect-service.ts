import { createClient } from '../../client/client.ts'
import { ownAnswer } from '../../client/foreign-answer.ts'
import { createHttpTransport } from '../../client/http-transport.ts'
import { maxWaitDefaultMs, type Retry, retrying } from '../../client/retrying.ts'
import type { Reply, Transport } from '../../contract/call.ts'
import type { OperationId } from '../../contract/operations.ts'
import { sha256 } from '../../domain/computing.ts'
import { newUuid } from '../../runtime/runtime.ts'
import { CliError } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { maxWaitMs } from '../base/times.ts'
import { readKey } from './api-key.ts'
import { warnReadable } from './base-url.ts'
import { checkOffered } from './operation-support.ts'
import { partnerTerms } from './partner-terms.ts'
import { proxyFor } from './proxy.ts'
import { originText, type ServiceSettings } from './target.ts'
import type { Target } from './target-type.ts'
import { accountable } from './unknown-outcome.ts'

type ServiceConnection = {
  trace: ((transport: Transport) => Transport) | undefined
  maxWait: string | undefined
  notice: (text: string) => void
}

/** Sends nothing before the first call. Throws `CliError` if there is no key for the service. */
export function connectService(io: Io, settings: ServiceSettings, connection: ServiceConnection): Target {
  const baseUrl = settings.baseUrl.value
  const { environment, profile } = settings
  const apiKey = keyFor(io, settings)
  // `init` already warned about a profile's address. A warning at every run would make each cron job send mail.
  if (settings.baseUrl.source !== 'profile') warnReadable(baseUrl, connection.notice)
  const http = createHttpTransport({
    apiKey,
    proxyFor: (origin) => proxyFor(io.env, origin),
  })
  const wire = connection.trace === undefined ? http : connection.trace(http)
  const answers = new Map<OperationId, Reply>()
  const client = createClient({
    transport: checked(accountable(patient(wire, connection), io), baseUrl, answers),
    baseUrl,
    newIdempotencyKey: newUuid,
  })
  return {
    client,
    environment: environment?.value,
    holder: async () => {
      const { partner, environment: served } = await partnerTerms(client)
      return { partner, environment: served ?? environment?.value }
    },
    label: `${baseUrl}${profile === undefined ? '' : ` (profile ${profile.value})`}`,
    // The partner is unknown here: a service knows it by its keys, which change.
    get identity() {
      return sha256(baseUrl).slice(0, 32)
    },
    isService: true,
    file: undefined,
    answerFault: async () => (await import('./answer-fault.ts')).answerFault(answers),
    close: async () => {},
  }
}

export function keyFor(io: Io, { apiKey, baseUrl }: ServiceSettings): string {
  if (apiKey !== undefined) return readKey(io, apiKey.value, originText(apiKey))
  throw new CliError('key_refused', `There is no API key for ${baseUrl.value}.`, {
    hint: 'Set CUSTODY_API_KEY or CUSTODY_API_KEY_FILE, or create a profile with: custody init',
  })
}

function patient(transport: Transport, { maxWait, notice }: ServiceConnection): Transport {
  const givenMs = maxWaitMs(maxWait)
  const told = new Set<string>()
  return retrying(transport, {
    maxWaitMs: givenMs,
    onRetry(retry) {
      const trouble = troubleOf(retry)
      if (!told.has(trouble))
        notice(`${trouble}; retrying for up to ${(givenMs ?? maxWaitDefaultMs) / 1000} s`)
      told.add(trouble)
    },
  })
}

function troubleOf({ error, status }: Retry): string {
  if (error !== undefined) return error.message
  return status === 429 ? 'Too many requests' : `The service answered ${status}`
}

function checked(transport: Transport, baseUrl: string, answers: Map<OperationId, Reply>): Transport {
  return async (call) => {
    const reply = ownAnswer(await transport(call))
    if (reply.status === 404) await checkOffered(transport, call, reply, baseUrl)
    if (call.operation !== undefined) answers.set(call.operation, reply)
    return reply
  }
}
