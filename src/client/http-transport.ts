import type { Call, Reply, Transport } from '../contract/call.ts'
import { operation as operationOf, pathOf } from '../contract/operations.ts'
import { type WireBody, wireBody } from './form-data.ts'
import { networkErrorOf } from './network-error.ts'
import type { Connections } from './undici.ts'

type HttpTransportOptions = {
  apiKey: string
  /** Milliseconds without a byte until the service is given up (default 90,000: above the longest wait for events). */
  idleMs?: number
  /** How this client names itself. */
  userAgent?: string
}

const pieceBytes = 64 * 1024

/**
 * The seam over HTTP: one request for one call, on connections that are kept. Redirects are answers like any other, never
 * followed: a key must not travel on. Throws `NetworkError` where no answer came, and the signal's reason where it was aborted.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const origins = new Map<string, Promise<Connections>>()
  return async (call) => {
    const url = addressOf(call)
    const given = await call.body()
    // For a form only: chance costs the 3 ms of node:crypto.
    const body = wireBody(given, given.kind === 'form' ? newBoundary() : '')
    const opened = origins.get(url.origin) ?? connectTo(url.origin, options)
    origins.set(url.origin, opened)
    const send = await opened
    call.signal?.throwIfAborted()
    return exchange(send, url, call, body, options).catch((error: unknown) => {
      call.signal?.throwIfAborted()
      throw networkErrorOf(error, url.origin)
    })
  }
}

/** Loaded only where a service is called. */
async function connectTo(origin: string, { idleMs = 90_000 }: HttpTransportOptions): Promise<Connections> {
  const { openConnections } = await import('./undici.ts')
  return openConnections(origin, idleMs)
}

function newBoundary(): string {
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  return `custody-${randomBytes(16).toString('hex')}`
}

function addressOf(call: Call): URL {
  if (call.operation === undefined) throw new TypeError('a call over HTTP needs an operation')
  const url = new URL(call.baseUrl + pathOf(call.operation, call.params))
  for (const [name, value] of call.query) url.searchParams.append(name, value)
  return url
}

async function exchange(
  send: Connections,
  url: URL,
  call: Call,
  body: WireBody | undefined,
  options: HttpTransportOptions,
): Promise<Reply> {
  const answer = await send({
    method: operationOf(call.operation!).method,
    path: url.pathname + url.search,
    headers: headersOf(call, body, options),
    body: body ? pieces(body) : null,
    ...(call.signal && { signal: call.signal }),
  })
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return { status: answer.statusCode, headers, body: answer.text }
}

/** In pieces, each of which may take as long as an answer: a slow line is not cut off in the middle of a large file. */
function* pieces({ chunks }: WireBody): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
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
