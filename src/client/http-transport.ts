import type { Call, Reply, Transport } from '../contract/call.ts'
import { randomHex } from '../runtime/runtime.ts'
import { answerBytesMax, soundText } from './foreign-answer.ts'
import { NetworkError, networkErrorOf } from './network-error.ts'
import type { ProxyServer } from './proxied.ts'
import type { Connections } from './undici.ts'
import {
  addressOf,
  headersOf,
  idOf,
  methodOf,
  plainHeaders,
  type Sender,
  type WireBody,
  wireBody,
} from './wire-request.ts'

type HttpTransportOptions = Sender & {
  /** Maximum milliseconds without a byte (default 90,000: longer than the longest wait for events). */
  idleMs?: number
  proxyFor?: ((origin: string) => ProxyServer | undefined) | undefined
}

const pieceBytes = 64 * 1024

/** Never follows redirects, which would send the key elsewhere. Throws `NetworkError`, or the signal's reason. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const origins = new Map<string, Promise<Connections>>()
  return async (call) => {
    const url = addressOf(call)
    const given = await call.body()
    // Only for a form: a random value costs the 3 ms of loading node:crypto.
    const body = wireBody(given, given.kind === 'form' ? `custody-${randomHex(16)}` : '')
    const opened = origins.get(url.origin) ?? connectTo(url.origin, options)
    origins.set(url.origin, opened)
    const send = await opened
    call.signal?.throwIfAborted()
    try {
      const reply = await exchange(send, url, call, body, options)
      const proxy = reply.status < 400 ? undefined : options.proxyFor?.(url.origin)
      if (proxy) (await import('./proxied.ts')).rejectPage(reply, url.origin, proxy)
      return reply
    } catch (error) {
      call.signal?.throwIfAborted()
      const proxy = options.proxyFor?.(url.origin)
      if (proxy === undefined || error instanceof NetworkError) throw networkErrorOf(error, url.origin)
      const { proxiedErrorOf } = await import('./proxied.ts')
      throw proxiedErrorOf(error, url.origin, proxy)
    }
  }
}

async function connectTo(
  origin: string,
  { idleMs = 90_000, proxyFor }: HttpTransportOptions,
): Promise<Connections> {
  const { openConnections } = await import('./undici.ts')
  const proxy = proxyFor?.(origin)
  if (proxy === undefined) return openConnections(origin, idleMs)
  const { throughProxy } = await import('./proxied.ts')
  return openConnections(origin, idleMs, throughProxy(proxy.address, { idleMs }))
}

async function exchange(
  send: Connections,
  url: URL,
  call: Call,
  body: WireBody | undefined,
  options: HttpTransportOptions,
): Promise<Reply> {
  const request = {
    method: methodOf(call),
    path: url.pathname + url.search,
    headers: { ...headersOf(call, body, options), ...lengthOf(call, body) },
    body: body ? pieces(body) : null,
    ...(call.signal && { signal: call.signal }),
  }
  const answer = await send(request, (status) => answerBytesMax(idOf(call), status))
  const text = soundText(answer.text, url.origin)
  return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: text }
}

/** The timeout applies to each piece, so a slow connection is not cut off in the middle of a large file. */
function* pieces({ chunks }: WireBody): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
}

function lengthOf(call: Call, body: WireBody | undefined): Record<string, string> {
  if (body) return { 'content-length': String(body.length) }
  return methodOf(call) === 'GET' ? {} : { 'content-length': '0' }
}
