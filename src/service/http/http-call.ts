import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Call } from '../../contract/call.ts'
import type { OperationId } from '../../contract/operations.ts'
import { invalid, type Refusal } from '../../domain/refusal.ts'
import { readBody } from './http-body.ts'

/** The path below which version 1 is served (part 9). */
export const versionPrefix = '/v1'

/** The request as plain values. `operation` is undefined where no route has the path. */
export function callOf(
  reply: FastifyReply,
  operation: OperationId | undefined,
  publicUrl: string | undefined,
): Call {
  const { request } = reply
  const { raw } = request
  return {
    operation,
    params: (request.params ?? {}) as Record<string, string>,
    query: queryOf(request.url),
    headers: headersOf(raw),
    address: raw.socket.remoteAddress ?? '',
    body: (count) => readBody(reply, operation, count),
    baseUrl: publicUrl === undefined ? `http://${hostOf(raw)}${versionPrefix}` : publicUrl + versionPrefix,
  }
}

/** Set if two parties could read the request differently: another version of HTTP, or an ambiguous host. */
export function requestFault(raw: IncomingMessage): Refusal | undefined {
  const { host } = raw.headers
  if (raw.httpVersionMajor !== 1) return invalid({ request: ['must be HTTP/1.1'] })
  if (countOf(raw.rawHeaders, 'host') > 1) return invalid({ Host: ['was sent twice; send it once'] })
  if (host === undefined) return raw.httpVersion === '1.0' ? undefined : invalid({ Host: ['is required'] })
  return hostForm.test(host) ? undefined : invalid({ Host: ['is not a host name'] })
}

const hostForm = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

function hostOf({ headers, socket }: IncomingMessage): string {
  return headers.host ?? `${socket.localAddress}:${socket.localPort}`
}

/** As `URLSearchParams` reads it, except that invalid UTF-8 stays recognisable. */
function queryOf(url: string): Array<[string, string]> {
  const mark = url.indexOf('?')
  if (mark < 0) return []
  const pairs = url.slice(mark + 1).split('&')
  return pairs.flatMap((pair): Array<[string, string]> => {
    if (pair === '') return []
    const equals = pair.indexOf('=')
    if (equals < 0) return [[decoded(pair), '']]
    return [[decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))]]
  })
}

/** Turns invalid UTF-8 into half a surrogate pair, which no parameter may contain (storable-text.ts), so that it is refused by name. */
function decoded(part: string): string {
  const text = part.replaceAll('+', ' ')
  if (!text.includes('%')) return text
  const latin1 = text.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const bytes = Buffer.from(latin1, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : bytes.toString().replaceAll('\ufffd', '\udcff')
}

/** Node.js joins a header that is sent twice with a comma; the ones that must stand alone are told apart (decisions 1, 4). */
function headersOf(raw: IncomingMessage): Call['headers'] {
  const { headers, rawHeaders } = raw
  let apart: Record<string, string[] | undefined> | undefined
  for (const name of ['x-api-key', 'idempotency-key']) {
    if (headers[name] === undefined || countOf(rawHeaders, name) < 2) continue
    apart = { ...apart, [name]: raw.headersDistinct[name] }
  }
  return apart ? { ...headers, ...apart } : headers
}

/** How often a header occurs in a request, in any case. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const found = rawHeaders[i] ?? ''
    if (found.length === name.length && found.toLowerCase() === name) count += 1
  }
  return count
}
