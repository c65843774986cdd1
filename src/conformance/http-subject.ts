import { networkErrorOf } from '../client/network-error.ts'
import type { Connections } from '../client/undici.ts'
import { addressOf, methodOf, plainHeaders, wireBody } from '../client/wire-request.ts'
import type { Call, Reply } from '../contract/call.ts'
import { mebibyte } from '../contract/limits.ts'
import { once } from '../contract/once.ts'
import type { RawRequest, Subject } from './subject.ts'

const boundary = 'custody-conformance-7f3c9a51'
const idleMs = 60_000
const answerBytesMax = 64 * mebibyte

/** Not the client's transport: a run must see every response, without retries, and send what the client never would. */
export function httpSubject(options: Omit<Subject, 'transport' | 'raw'>): Subject {
  const { baseUrl } = options
  const raw = sender(new URL(baseUrl).origin, baseUrl)
  return { ...options, raw, transport: async (call) => raw(await requestOf(call)) }
}

async function requestOf(call: Call): Promise<RawRequest> {
  const body = wireBody(await call.body(), boundary)
  const headers: Record<string, string | readonly string[]> = body ? { 'content-type': body.type } : {}
  for (const [name, value] of Object.entries(call.headers)) if (value !== undefined) headers[name] = value
  return {
    method: call.operation ? methodOf(call) : 'GET',
    path: call.operation ? addressOf(call).href : '/no-such-path',
    headers,
    body: Buffer.concat(body?.chunks ?? []),
  }
}

function sender(origin: string, baseUrl: string): (request: RawRequest) => Promise<Reply> {
  const connections = once(async () => (await import('../client/undici.ts')).openConnections(origin, idleMs))
  return async ({ method, path, headers = {}, body = '' }) => {
    const { pathname, search } = new URL(/^https?:/.test(path) ? path : baseUrl + path)
    const bytes = Buffer.from(body)
    const isSent = bytes.length > 0 || method !== 'GET'
    const request = {
      method,
      path: pathname + search,
      headers: { ...headers, ...(isSent && { 'content-length': String(bytes.length) }) },
      body: bytes.length > 0 ? [bytes] : null,
    }
    const ask = await connections()
    const answer = await ask(request as Parameters<Connections>[0], () => answerBytesMax).catch(
      (error: unknown) => {
        throw networkErrorOf(error, origin)
      },
    )
    return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: answer.text }
  }
}
