import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { CallBody, CountBytes } from '../../contract/call.ts'
import { jsonBodyBytesMax, mebibyte } from '../../contract/limits.ts'
import { type OperationId, operation as operationOf } from '../../contract/operations.ts'
import { invalid, type Refusal } from '../../domain/refusal.ts'
import { wrongType } from '../parsing/faults.ts'
import { formBytesMax, readForm } from './http-form.ts'

/**
 * Reads a request's body: only after the key, the rate limit and the Idempotency-Key were found good. Throws `invalid` on a
 * content type, charset or encoding that is not ours, a body too large, and what cannot be read (decisions 3).
 */
export async function readBody(
  reply: FastifyReply,
  operation: OperationId | undefined,
  count: CountBytes = () => {},
): Promise<CallBody> {
  const { raw } = reply.request
  const { form, body } = operation === undefined ? {} : operationOf(operation)
  const takesForm = form !== undefined
  const encoding = raw.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalid({ 'content-encoding': ['is not supported; send the body as it is'] })
  }
  if (isEmpty(raw)) return { kind: 'empty' }
  // In chunks of which none may come, where none is wanted: only the end tells that there is no body to have a type.
  const mayBeNone = !takesForm && body === undefined && raw.headers['transfer-encoding'] !== undefined
  if (!mayBeNone) refuseType(raw, takesForm)
  refuseLong(raw, takesForm)
  countAhead(raw, takesForm, count)
  if (raw.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
  if (takesForm) return readForm(reply.request)
  const text = await readText(raw, raw.headers['content-length'] === undefined ? count : () => {})
  if (text === '') return { kind: 'empty' }
  if (mayBeNone) refuseType(raw, takesForm)
  return { kind: 'json', text }
}

function refuseType({ headers }: IncomingMessage, takesForm: boolean): void {
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

/** An announced length that is too large is refused before anything is read. */
function refuseLong({ headers }: IncomingMessage, takesForm: boolean): void {
  if (Number(headers['content-length'] ?? 0) > (takesForm ? formBytesMax : jsonBodyBytesMax)) throw tooLarge()
}

function tooLarge(): Refusal {
  return invalid({ body: [`must not be larger than ${jsonBodyBytesMax / mebibyte} MiB`] })
}

/** An announced length counts before the body is read; a form of unknown length counts as the longest. */
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

/** Reads a whole body by events: iterating over the stream takes as long as the rest of a small write. */
function gather(raw: IncomingMessage, count: CountBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let isRefused = false
    raw.on('data', (chunk: Buffer) => {
      if (isRefused) return
      size += chunk.length
      try {
        if (size > jsonBodyBytesMax) throw tooLarge()
        count(chunk.length)
        chunks.push(chunk)
      } catch (refusal) {
        isRefused = true
        chunks.length = 0
        reject(refusal)
      }
    })
    raw.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const cutOff = (): void => {
      if (!raw.readableEnded) reject(invalid({ body: ['did not arrive whole'] }))
    }
    // A request that is closed already emits nothing any more.
    if (raw.destroyed) cutOff()
    raw.once('error', cutOff)
    raw.once('close', cutOff)
  })
}
