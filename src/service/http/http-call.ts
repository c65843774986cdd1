import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Call, CallBody, CountBytes } from '../../contract/call.ts'
import { jsonBodyBytesMax, mebibyte } from '../../contract/limits.ts'
import { type OperationId, operation as operationOf } from '../../contract/operations.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { invalid } from '../../domain/rejection.ts'
import { wrongType } from '../parsing/faults.ts'
import { formBytesMax, readForm } from './http-form.ts'

export const versionPrefix = '/v1'

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
export function requestFault(raw: IncomingMessage): Rejection | undefined {
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

/** Turns invalid UTF-8 into a lone surrogate, which no parameter may contain (storable-text.ts), so the error names it. */
function decoded(part: string): string {
  const text = part.replaceAll('+', ' ')
  if (!text.includes('%')) return text
  const latin1 = text.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const bytes = Buffer.from(latin1, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : bytes.toString().replaceAll('\ufffd', '\udcff')
}

/** Node.js joins repeated headers with a comma; these must be sent once, so their values stay separate (decisions 1, 4, 13). */
function headersOf(raw: IncomingMessage): Call['headers'] {
  const { headers, rawHeaders } = raw
  let apart: Record<string, string[] | undefined> | undefined
  for (const name of ['x-api-key', 'idempotency-key', 'custody-repeats']) {
    if (headers[name] === undefined || countOf(rawHeaders, name) < 2) continue
    apart = { ...apart, [name]: raw.headersDistinct[name] }
  }
  return apart ? { ...headers, ...apart } : headers
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const found = rawHeaders[i] ?? ''
    if (found.length === name.length && found.toLowerCase() === name) count += 1
  }
  return count
}

/** Called once key, rate limit and Idempotency-Key are accepted. Throws `invalid` on an unreadable body (decisions 3). */
async function readBody(
  reply: FastifyReply,
  operation: OperationId | undefined,
  count: CountBytes = () => {},
): Promise<CallBody> {
  const { raw } = reply.request
  const { form, body } = operation === undefined ? {} : operationOf(operation)
  const takesForm = form !== undefined
  const encoding = raw.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalid({ 'content-encoding': ['is not supported; send the body uncompressed'] })
  }
  if (!takesForm && isEmpty(raw)) return { kind: 'empty' }
  // A chunked body may turn out to be empty, and then needs no content type; only its end shows that.
  const mayBeNone = !takesForm && body === undefined && raw.headers['transfer-encoding'] !== undefined
  if (!mayBeNone) rejectType(raw, takesForm)
  if (isEmpty(raw)) return { kind: 'form', fields: [], files: [] }
  rejectLong(raw, takesForm)
  countAhead(raw, takesForm, count)
  if (raw.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
  if (takesForm) return readForm(reply.request)
  const text = await readText(raw, raw.headers['content-length'] === undefined ? count : () => {})
  if (text === '') return { kind: 'empty' }
  if (mayBeNone) rejectType(raw, takesForm)
  return { kind: 'json', text }
}

function rejectType({ headers }: IncomingMessage, takesForm: boolean): void {
  const type = mediaType(headers['content-type'] ?? '')
  if (type.name !== (takesForm ? 'multipart/form-data' : 'application/json')) throw wrongType(takesForm)
  if (type.charset !== undefined && type.charset !== 'utf-8') {
    throw invalid({ 'content-type': ['must have the charset utf-8, or none'] })
  }
}

function isEmpty({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) === 0
}

function mediaType(header: string): { name: string; charset: string | undefined } {
  const [name = '', ...parameters] = header.split(';')
  return { name: name.trim().toLowerCase(), charset: parameters.map(charsetOf).find((found) => found) }
}

function charsetOf(parameter: string): string | undefined {
  const [name = '', ...value] = parameter.split('=')
  if (name.trim().toLowerCase() !== 'charset') return undefined
  return /^"?([^"\s]*)"?$/.exec(value.join('=').trim())?.[1]?.toLowerCase()
}

function rejectLong({ headers }: IncomingMessage, takesForm: boolean): void {
  if (Number(headers['content-length'] ?? 0) > (takesForm ? formBytesMax : jsonBodyBytesMax)) throw tooLarge()
}

function tooLarge(): Rejection {
  return invalid({ body: [`must not be larger than ${jsonBodyBytesMax / mebibyte} MiB`] })
}

/** An announced length counts before the body is read; a form of unknown length counts as the largest allowed. */
function countAhead({ headers }: IncomingMessage, takesForm: boolean, count: CountBytes): void {
  const told = headers['content-length']
  if (told !== undefined) count(Number(told))
  else if (takesForm) count(formBytesMax)
}

async function readText(raw: IncomingMessage, count: CountBytes): Promise<string> {
  const bytes = await gather(raw, count)
  if (!isUtf8(bytes)) throw invalid({ body: ['is not UTF-8'] })
  const text = bytes.toString('utf8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Reads by events: iterating over the stream takes as long as the rest of a small write. */
function gather(raw: IncomingMessage, count: CountBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let isRejected = false
    raw.on('data', (chunk: Buffer) => {
      if (isRejected) return
      size += chunk.length
      try {
        if (size > jsonBodyBytesMax) throw tooLarge()
        count(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        isRejected = true
        chunks.length = 0
        reject(error)
      }
    })
    raw.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const cutOff = (): void => {
      if (!raw.readableEnded) reject(invalid({ body: ['did not arrive completely'] }))
    }
    if (raw.destroyed) cutOff()
    raw.once('error', cutOff)
    raw.once('close', cutOff)
  })
}
