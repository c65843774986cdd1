import { Client, type Dispatcher, ProxyAgent } from 'undici'

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
    clientFactory: (origin, options) => new Client(origin, options),
    ...(idleMs !== undefined && { headersTimeout: idleMs, bodyTimeout: idleMs }),
    ...(isTrusting && { requestTls: { rejectUnauthorized: false } }),
  })
}
