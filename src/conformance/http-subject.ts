import type { ClientRequest, IncomingMessage } from 'node:http'
import { networkErrorOf } from '../client/network-error.ts'
import { plainHeaders, wireBody } from '../client/wire-request.ts'
import type { Call, Reply } from '../contract/call.ts'
import { operation as operationOf, pathOf } from '../contract/operations.ts'
import type { RawRequest, Subject } from './subject.ts'

type HttpSubjectOptions = Omit<Subject, 'transport' | 'raw'> & {
  /** The root of version 1; `/v1` is added if it is missing. */
  baseUrl: string
}

const boundary = 'custody-conformance-7f3c9a51'
const idleMs = 60_000

/** Not the client's transport: a run must see every response, without retries, and send what the client never would. */
export function httpSubject(options: HttpSubjectOptions): Subject {
  const baseUrl = versionRoot(options.baseUrl)
  const raw = (request: RawRequest): Promise<Reply> => send(baseUrl, request)
  return { ...options, baseUrl, raw, transport: async (call) => raw(await requestOf(call)) }
}

function versionRoot(baseUrl: string): string {
  const root = /^.*[^/]/s.exec(baseUrl)?.[0] ?? ''
  return /\/v1$/.test(root) ? root : `${root}/v1`
}

async function requestOf(call: Call): Promise<RawRequest> {
  const { method } = call.operation ? operationOf(call.operation) : { method: 'GET' }
  const path = call.operation ? pathOf(call.operation, call.params) : '/no-such-path'
  const query = call.query.length > 0 ? `?${new URLSearchParams(call.query as Array<[string, string]>)}` : ''
  const headers: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(call.headers)) if (value !== undefined) headers[name] = value
  const body = wireBody(await call.body(), boundary)
  if (body === undefined) return { method, path: path + query, headers }
  return {
    method,
    path: path + query,
    headers: { 'content-type': body.type, ...headers },
    body: Buffer.concat(body.chunks),
  }
}

async function send(baseUrl: string, request: RawRequest): Promise<Reply> {
  const url = new URL(/^https?:/.test(request.path) ? request.path : baseUrl + request.path)
  // Not imported, because that would load the global fetch too.
  const http = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  return new Promise<Reply>((resolve, reject) => {
    const sent: ClientRequest = http.request(url, { method: request.method, timeout: idleMs })
    for (const [name, value] of Object.entries(request.headers ?? {})) sent.setHeader(name, value)
    const body = Buffer.from(request.body ?? '')
    if (body.length > 0 || request.method !== 'GET') sent.setHeader('content-length', body.length)
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject)
    sent.on('response', (response) => readReply(response).then(resolve, reject))
    sent.end(body)
  }).catch((error: unknown) => {
    throw networkErrorOf(error, url.origin)
  })
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const headers = plainHeaders(response.headers)
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') }
}
