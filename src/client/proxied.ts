import { Client, type Dispatcher, ProxyAgent } from 'undici'

/** Connections through an HTTP proxy: a tunnel (CONNECT) for https, forwarded requests for http. */
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
