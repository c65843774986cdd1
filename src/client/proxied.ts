import type { Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'

/**
 * Connections through an HTTP proxy: a tunnel (CONNECT) to an https address, and requests that the proxy passes on to an http
 * one. Loaded only if there is a proxy.
 */
export function throughProxy(
  proxy: string,
  options: { idleMs?: number; isTrusting?: boolean } = {},
): Dispatcher {
  const { idleMs, isTrusting } = options
  return new ProxyAgent({
    uri: proxy,
    allowH2: false,
    // undici gives its dispatchers this method only where all of it is loaded.
    clientFactory: (origin, options) => Object.assign(new Client(origin, options), { connect }),
    ...(idleMs !== undefined && { headersTimeout: idleMs, bodyTimeout: idleMs }),
    ...(isTrusting && { requestTls: { rejectUnauthorized: false } }),
  })
}
