import { answerShape, type Shape } from '../contract/answer-shapes.ts'
import { parsedJson, type Reply } from '../contract/call.ts'
import { endOfString } from '../contract/json-scan.ts'
import { mebibyte } from '../contract/limits.ts'
import { type OperationId, operation as operationOf } from '../contract/operations.ts'
import { NetworkError, unclearAnswer } from './network-error.ts'

/** Throws `NetworkError` on a success or redirect that cannot be this service's, such as a login page. */
export function rejectForeign(reply: Reply, id: OperationId, baseUrl: string): void {
  const { status, headers, body } = reply
  if (status >= 400) return
  if (status >= 300)
    throw foreign(reply, id, baseUrl, `it answers ${status}${pointer(headers.location, baseUrl)}`)
  if ((operationOf(id).success === 204 && body === '') || isJsonText(body)) return
  const found = body === '' ? 'nothing' : (compressed(reply) ?? typeIn(headers) ?? 'something else')
  throw foreign(reply, id, baseUrl, `it answers ${status} with ${found} instead of JSON`)
}

/** The answer to another request with the same key would look like the answer to this one, so it becomes an error (decisions 4). */
export function ownAnswer(reply: Reply): Reply {
  if (!reply.headers['idempotency-mismatch']?.startsWith('true')) return reply
  const message = 'The idempotency key was already used for another request; nothing was done.'
  const extra = { fields: { 'Idempotency-Key': ['belongs to another request: send another key'] } }
  return { ...reply, status: 409, body: JSON.stringify({ code: 'state_conflict', message, extra }) }
}

function typeIn(headers: Reply['headers']): string | undefined {
  return /^(?!application\/json)[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0]
}

/** The tool asks for no compression; `fetch` decompresses, but keeps the header. */
function compressed({ headers, body }: Reply): string | undefined {
  const coding = /^[\w-]+/.exec(headers['content-encoding'] ?? '')?.[0]
  return coding !== undefined && body.includes('\ufffd') ? `bytes compressed as ${coding}` : undefined
}

/** Above the longest response: an error names at most 100 fields, a read is a page, an upload may fail by 50,000 rows. */
export function answerBytesMax(id: OperationId, status: number): number {
  if (status >= 400) return 4 * mebibyte
  return operationOf(id).form ? 256 * mebibyte : 64 * mebibyte
}

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Throws `NetworkError` rather than fill the memory with an endless response. */
export async function textOf(body: Pieces, most: number, origin: string): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const piece of body) {
    bytes += piece.length
    // Leaving the loop closes the connection.
    if (bytes > most) throw unclearAnswer(`${origin} answers with more than ${most / mebibyte} MiB`)
    // A one-byte piece would keep everything that arrived with it, such as a chunk's extensions.
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

export function isJsonText(body: string): boolean {
  return /^\s*[{[]/.test(body)
}

/** Throws `NetworkError` on a body that is not this operation's. */
export function dataOf(reply: Reply, id: OperationId, baseUrl: string): unknown {
  const { status, body } = reply
  if (body === '') return undefined
  const data = parsedJson(body)
  if (data === undefined)
    throw foreign(reply, id, baseUrl, `it answers ${status} with something that is not JSON`)
  const fault = shapeFault(data, answerShape(id))
  if (fault !== undefined)
    throw foreign(reply, id, baseUrl, `it answers ${status} with JSON in which ${fault}`)
  return data
}

/** Names the first value that code for this shape could not use. */
export function shapeFault(value: unknown, shape: Shape = 'any', path = ''): string | undefined {
  if (shape === 'any') return undefined
  const isNone = value === undefined || value === null
  if (typeof shape === 'string') {
    const kind = shape.replace('?', '')
    return typeof value === kind || (isNone && kind !== shape) ? undefined : instead(value, kind, path)
  }
  if ('maybe' in shape) return isNone ? undefined : shapeFault(value, shape.maybe, path)
  if ('each' in shape) {
    if (!Array.isArray(value)) return instead(value, 'list', path)
    for (let at = 0; at < value.length; at++) {
      const fault = shapeFault(value[at], shape.each, `${path}[${at}]`)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  if (kindOf(value) !== 'object') return instead(value, 'object', path)
  const found = value as Record<string, unknown>
  const [values, keys] = 'values' in shape ? [shape.values, {}] : [undefined, shape.keys]
  for (const key in values ? found : keys) {
    const at = path === '' ? key : `${path}.${key}`
    const fault = shapeFault(found[key], values ?? keys[key], at)
    if (fault !== undefined) return fault
  }
  return undefined
}

function instead(value: unknown, wanted: string, path: string): string {
  const kind = kindOf(value)
  const found = kind === 'undefined' ? 'missing' : kind === 'null' ? kind : withArticle(kind)
  return `${path || 'the top level'} is ${found}${kind === 'undefined' ? '' : `, not ${withArticle(wanted)}`}`
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

function withArticle(kind: string): string {
  return `${kind === 'object' ? 'an' : 'a'} ${kind}`
}

/** The service's responses are objects of fewer levels; thousands would overflow the stack of code that walks them. */
const depthMax = 100

export function soundText(text: string, origin: string): string {
  if (!isJsonText(text)) return text
  const depth = openLevels(text, depthMax)
  if (depth > depthMax) throw unclearAnswer(`${origin} answers with JSON of more than ${depthMax} levels`)
  if (depth > 0 && text.trimStart().startsWith('{'))
    throw new NetworkError('broken', `${origin} answers with JSON that ends too early`)
  return text
}

function openLevels(text: string, most: number): number {
  let depth = 0
  for (let at = 0; at < text.length && depth <= most; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) at = endOfString(text, at + 1)
    else if (code === 123 || code === 91) depth += 1
    else if (code === 125 || code === 93) depth -= 1
  }
  return depth
}

/** In doubt for a write: a success of any form, also one that a proxy replaced, may mean that it was carried out. */
function foreign(reply: Reply, id: OperationId, baseUrl: string, why: string): NetworkError {
  const error = new NetworkError('foreign', `This is not a custody service: ${baseUrl} (${why})`)
  const { advice, status } = reply
  const isInDoubt = reply.isInDoubt === true || (status < 300 && operationOf(id).method !== 'GET')
  return Object.assign(error, { isInDoubt }, isInDoubt && advice !== undefined && { advice })
}

/** Encoded as a URL, so that it cannot contain terminal escapes. */
function pointer(location: string | undefined, baseUrl: string): string {
  if (location === undefined || !URL.canParse(location, baseUrl)) return ''
  return ` and points to ${new URL(location, baseUrl).href}`
}
