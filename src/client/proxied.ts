import { Client, type Dispatcher, ProxyAgent } from 'undici'
import type { Reply } from '../contract/call.ts'
import { isJsonText } from './foreign-answer.ts'
import { NetworkError, networkErrorOf } from './network-error.ts'

/** `shown`: without its password. `variable`: of the environment, with the address. */
export type ProxyServer = { address: string; shown: string; variable: string }

export function throughProxy(
  proxy: string,
  options: { idleMs?: number; isTrusting?: boolean } = {},
): Dispatcher {
  const { idleMs, isTrusting } = options
  return new ProxyAgent({
    uri: proxy,
    allowH2: false,
    clientFactory: (origin, options) => new Client(origin, options),
    ...(idleMs !== undefined && { headersTimeout: idleMs, bodyTimeout: idleMs }),
    ...(isTrusting && { requestTls: { rejectUnauthorized: false } }),
  })
}

export function proxiedErrorOf(error: unknown, origin: string, proxy: ProxyServer): NetworkError {
  const fault = networkErrorOf(error, origin)
  // undici gives the status in the message alone.
  const [, status] = /^Proxy .*\((\d{3})\)/.exec(error instanceof Error ? error.message : '') ?? []
  if (status !== undefined) return rejectionOf(status, origin, proxy, fault)
  if (fault.fault === 'unreachable' || fault.fault === 'unknown_host') {
    const ofProxy = networkErrorOf(error, `the proxy ${proxy.shown}`)
    ofProxy.advice = `Check ${proxy.variable}.`
    return ofProxy
  }
  fault.message += ` through the proxy ${proxy.shown}`
  return fault
}

/** Over http, a page instead of JSON is the proxy's own, except those that a service's front server may send as well. */
export function rejectPage({ status, body }: Reply, origin: string, proxy: ProxyServer): void {
  if (status === 404 || status === 429 || isJsonText(body) || origin.startsWith('https:')) return
  // The proxy may have forwarded the request before it lost the service.
  const isInDoubt = status === 502 || status === 504
  throw Object.assign(rejectionOf(String(status), origin, proxy), { isInDoubt })
}

function rejectionOf(status: string, origin: string, proxy: ProxyServer, cause?: Error): NetworkError {
  const { address, shown, variable } = proxy
  const named = `The proxy ${shown}`
  if (status.startsWith('5'))
    return new NetworkError('unreachable', `${named} cannot reach ${origin} (${status})`, cause)
  const { protocol, host, username } = new URL(address)
  const required = `${named} requires ${username ? 'another' : 'a'} user name and password (${status})`
  const isLogin = status === '407'
  const error = new NetworkError(
    'foreign',
    isLogin ? required : `${named} rejects ${origin} (${status})`,
    cause,
  )
  if (!isLogin) error.advice = 'Ask who runs the proxy, or name the host in NO_PROXY.'
  else if (username) error.advice = `Correct them in ${variable}.`
  else error.advice = `Set ${variable}=${protocol}//USER:PASSWORD@${host}`
  return error
}
