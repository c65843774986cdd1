import { randomBytes } from 'node:crypto'
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Call, Reply, Transport } from '../contract/call.ts'
import { operation as operationOf, pathOf } from '../contract/operations.ts'
import { type WireBody, wireBody } from './form-data.ts'
import { NetworkError, networkErrorOf } from './network-error.ts'

export type HttpTransportOptions = {
  apiKey: string
  /** Milliseconds without a byte until the service is given up (default 90,000: above the longest wait for events). */
  idleMs?: number
  /** How this client names itself. */
  userAgent?: string
}

type Http = Pick<typeof import('node:http'), 'request' | 'Agent'>

/**
 * The seam over HTTP: one request for one call, on connections that are kept. Redirects are answers like any other, never
 * followed: a key must not travel on. Throws `NetworkError` where no answer came, and the signal's reason where it was aborted.
 * (Node.js's own client, not undici: the latter's dispatcher alone makes a command start 2.5 times as long as a bare one.)
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const agents = new Map<string, Agent>()
  return async (call) => {
    const url = addressOf(call)
    const given = await call.body()
    // For a form only: chance costs the 3 ms of node:crypto.
    const body = wireBody(given, given.kind === 'form' ? newBoundary() : '')
    call.signal?.throwIfAborted()
    const http = httpOf(url.protocol)
    const agent = agents.get(url.protocol) ?? new http.Agent({ keepAlive: true })
    agents.set(url.protocol, agent)
    return exchange(http, agent, url, call, body, options).catch((error: unknown) => {
      call.signal?.throwIfAborted()
      throw networkErrorOf(error, url.origin)
    })
  }
}

function newBoundary(): string {
  return `custody-${randomBytes(16).toString('hex')}`
}

function addressOf(call: Call): URL {
  if (call.operation === undefined) throw new TypeError('a call over HTTP needs an operation')
  const url = new URL(call.baseUrl + pathOf(call.operation, call.params))
  for (const [name, value] of call.query) url.searchParams.append(name, value)
  return url
}

/** Not by import: that would wake the global fetch as well, 27 ms. */
function httpOf(protocol: string): Http {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}

function exchange(
  http: Http,
  agent: Agent,
  url: URL,
  call: Call,
  body: WireBody | undefined,
  options: HttpTransportOptions,
): Promise<Reply> {
  const { method } = operationOf(call.operation!)
  return new Promise((resolve, reject) => {
    const request: ClientRequest = http.request(url, {
      method,
      agent,
      headers: headersOf(call, body, options),
      timeout: options.idleMs ?? 90_000,
      ...(call.signal && { signal: call.signal }),
    })
    request.on('timeout', () =>
      request.destroy(new NetworkError('timeout', `${url.origin} did not answer in time`)),
    )
    request.on('error', reject)
    request.on('response', (response) => readReply(response).then(resolve, reject))
    for (const chunk of body?.chunks ?? []) request.write(chunk)
    request.end()
  })
}

function headersOf(
  call: Call,
  body: WireBody | undefined,
  options: HttpTransportOptions,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    accept: 'application/json',
    'user-agent': options.userAgent ?? `custody/${CUSTODY_VERSION}`,
    'x-api-key': options.apiKey,
  }
  if (body) Object.assign(headers, { 'content-type': body.type, 'content-length': String(body.length) })
  else if (operationOf(call.operation!).method !== 'GET') headers['content-length'] = '0'
  for (const [name, value] of Object.entries(call.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : [...value]
  }
  return headers
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') }
}
