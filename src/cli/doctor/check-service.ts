import { type Client, createClient } from '../../client/client.ts'
import { createHttpTransport } from '../../client/http-transport.ts'
import { NetworkError, networkErrorOf } from '../../client/network-error.ts'
import type { ProxyServer } from '../../client/proxied.ts'
import { callWithin } from '../../client/retrying.ts'
import type { Transport } from '../../contract/call.ts'
import type { Environment } from '../../contract/enums.ts'
import { type Sleep, sleep, withTimeLimit } from '../../runtime/runtime.ts'
import { CliError } from '../base/cli-error.ts'
import { type Failure, failureOf } from '../base/failure.ts'
import type { Io } from '../base/io.ts'
import { maxWaitMs } from '../base/times.ts'
import { readKey } from '../connection/api-key.ts'
import { checkOffered, mayBeUnsupported } from '../connection/operation-support.ts'
import { proxyFor } from '../connection/proxy.ts'
import { originText, type ServiceSettings } from '../connection/target.ts'
import { type Check, clockCheck, failed } from './check.ts'

export type ServiceCheck = { checks: Check[]; environment: Environment | undefined }

/** From the first answer, whatever its status; empty without a Date header. */
type Seen = { date?: string }

/** Longest time without a byte, in milliseconds. */
const patienceMs = 15_000
/** Milliseconds for a whole call. Answers are short, but a service could send them byte by byte forever. */
const callMaxMs = 30_000

type CheckOptions = {
  /** The value of --max-wait, which replaces `callMaxMs`. */
  maxWait?: string | undefined
  isNew?: boolean
  sleep?: Sleep
}

/** Ends within about two minutes, even if the service hangs. Throws `usage` if --max-wait is not a duration. */
export async function checkService(
  io: Io,
  settings: ServiceSettings,
  options: CheckOptions = {},
): Promise<ServiceCheck> {
  const key = keyCheck(io, settings)
  const seen: Seen = {}
  const proxy = proxyFor(io.env, settings.baseUrl.value)
  const before: Check[] = proxy ? [{ check: 'proxy', detail: `${proxy.shown} (from ${proxy.variable})` }] : []
  const client = clientFor(settings.baseUrl.value, key.value ?? 'none', seen, { ...options, proxy })
  const started = io.now()
  const failure = await ask(client)
  const took = io.now() - started
  const { baseUrl } = settings
  if (failure && seen.date === undefined) {
    const checks = [...before, failed('reachable', failure), ...(key.fault ? [key.fault] : [])]
    return { checks, environment: undefined }
  }
  const checks: Check[] = [...before, { check: 'reachable', detail: `${baseUrl.value} answers (${took} ms)` }]
  const health = await checkHealth(baseUrl.value, patienceMs, proxy)
  if (health) checks.push(health)
  checks.push(key.fault ?? acceptance(failure, settings, options.isNew === true))
  if (seen.date) checks.push(clockCheck(Date.parse(seen.date) + 500, started + took / 2))
  if (failure) return { checks, environment: undefined }
  try {
    const environment = await environmentOf(client)
    checks.push(environmentCheck(environment, settings))
    return { checks, environment }
  } catch (error) {
    checks.push(failed('environment', failureOf(error)))
    return { checks, environment: undefined }
  }
}

/** Calls an operation that every service has and that changes nothing. */
async function ask(client: Client): Promise<Failure | undefined> {
  try {
    await client.getItemSummary({})
    return undefined
  } catch (error) {
    return failureOf(error)
  }
}

function clientFor(
  baseUrl: string,
  apiKey: string,
  seen: Seen,
  options: CheckOptions & { proxy: ProxyServer | undefined },
): Client {
  const http = withShortTimeout(
    createHttpTransport({ apiKey, idleMs: patienceMs, proxyFor: () => options.proxy }),
    options,
  )
  return createClient({
    baseUrl,
    newIdempotencyKey: () => 'none',
    async transport(call) {
      const reply = await http(call)
      seen.date ??= reply.headers.date ?? ''
      if (reply.status === 404) await checkOffered(http, call, reply, baseUrl)
      return reply
    },
  })
}

function withShortTimeout(transport: Transport, { maxWait, sleep: wait = sleep }: CheckOptions): Transport {
  const ms = maxWaitMs(maxWait) || callMaxMs
  return async (call) => {
    try {
      return await callWithin(transport, call, { ms, sleep: wait })
    } catch (error) {
      if (error instanceof NetworkError && error.fault === 'timeout') {
        error.advice =
          "Check that this is a custody service's address, and that no proxy holds back its answers."
      }
      throw error
    }
  }
}

function keyCheck(io: Io, { apiKey }: ServiceSettings): { value?: string; fault?: Check } {
  if (apiKey === undefined) {
    const detail = 'missing: set CUSTODY_API_KEY or CUSTODY_API_KEY_FILE, or run custody init'
    return { fault: { check: 'key', detail, ending: 'key_refused' } }
  }
  try {
    return { value: readKey(io, apiKey.value, originText(apiKey)) }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return { fault: { ...failed('key', failureOf(error)), ending: 'key_refused' } }
  }
}

function acceptance(failure: Failure | undefined, { apiKey }: ServiceSettings, isNew: boolean): Check {
  const where = apiKey === undefined || isNew ? '' : ` (from ${originText(apiKey)})`
  if (failure === undefined) return { check: 'key', detail: `accepted${where}` }
  if (failure.ending !== 'key_refused') return failed('operations', failure)
  const detail = `rejected${where}: ${failure.message}${isNew ? '' : ' Set a valid one with: custody init'}`
  return { check: 'key', detail, ending: 'key_refused' }
}

/** Only a sandbox has a clock (decisions 10). Undefined if the service does not say; throws if no answer comes. */
async function environmentOf(client: Client): Promise<Environment | undefined> {
  try {
    await client.getClock({})
    return 'sandbox'
  } catch (error) {
    if (error instanceof NetworkError && error.fault !== 'foreign') throw error
    if (await mayBeUnsupported(client, error)) return undefined
    return failureOf(error).ending === 'not_found' ? 'production' : undefined
  }
}

function environmentCheck(found: Environment | undefined, { environment, profile }: ServiceSettings): Check {
  const check = 'environment'
  if (found === undefined)
    return { check, detail: `${environment?.value ?? 'not known'} (the service does not say)` }
  if (environment === undefined || environment.value === found) return { check, detail: found }
  const detail = `it is ${found}, but the profile ${profile?.value} says ${environment.value}: create the profile again with custody init`
  return { check, detail, ending: 'invalid' }
}

/** Asks /healthz, which is outside of version 1 (decisions 10). Undefined if it is well, or not offered. */
async function checkHealth(
  baseUrl: string,
  ms: number,
  proxyServer?: ProxyServer,
): Promise<Check | undefined> {
  const address = new URL(`${baseUrl.replace(/\/v1$/, '')}/healthz`)
  const { origin, pathname: path } = address
  const { requestOnce } = await import('../../client/undici.ts')
  const proxy = proxyServer && (await import('../../client/proxied.ts')).throughProxy(proxyServer.address)
  return withTimeLimit(ms, async (signal) => {
    try {
      const request = { method: 'GET', path, headers: {}, body: null, signal }
      const { statusCode: status } = await requestOnce(origin, request, { bytesMax: 1024, proxy })
      if (status < 500) return undefined
      const detail = `${address} answers ${status}. See the log of the service and its database.`
      return { check: 'health', detail, ending: 'unreachable' }
    } catch (error) {
      const late = new NetworkError('timeout', `${address} did not answer within ${ms / 1000} s`)
      return failed('health', failureOf(signal.aborted ? late : networkErrorOf(error, origin)))
    }
  })
}
