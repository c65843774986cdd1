import type { Shape } from '../contract/answer-shapes.ts'
import {
  type Call,
  type CallBody,
  parsedJson,
  type Reply,
  type Transport,
  unchangedMessage,
} from '../contract/call.ts'
import type { Repeats } from '../contract/enums.ts'
import { pageSizeMax } from '../contract/limits.ts'
import {
  type BodyInput,
  type FormInput,
  type OperationId,
  type Operations,
  operation,
  operations,
  type PagedId,
  type ParamsOf,
  type QueryInput,
  type ResultOf,
} from '../contract/operations.ts'
import { own } from '../contract/own.ts'
import { dataOf, rejectForeign, shapeFault } from './foreign-answer.ts'
import { pagesOf } from './pages.ts'

export type Page<T> = {
  page_size: number
  count: number
  total: number
  current_page_number: number
  next_page_number: number | null
  next: string | null
  previous: string | null
  previous_page_number: number | null
  results: T[]
}

type Part<K extends string, T> = [T] extends [Record<string, never> | undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [key in K]?: T | undefined }
    : { [key in K]: T }

type FormTexts<Id extends OperationId> = FormInput<Id> extends Record<string, never> ? unknown : FormInput<Id>

export type FileInput = string | Blob | Uint8Array

export type Request<Id extends OperationId> = Part<'params', ParamsOf<Id>> &
  Part<'query', QueryInput<Id>> &
  Part<'body', BodyInput<Id>> &
  Part<'form', [FormInput<Id>] extends [undefined] ? undefined : FormTexts<Id> & { file: FileInput }> & {
    /** The key of a POST; by default a new one. */
    idempotencyKey?: string | undefined
    headers?: Readonly<Record<string, string>> | undefined
    signal?: AbortSignal | undefined
    /** A transport that retries sends this call only once. */
    isTriedOnce?: true | undefined
  } & (Operations[Id] extends { repeats: true }
    ? {
        /** `Custody-Repeats`: whether to skip rows and orders that an earlier request created (decisions 13). */
        repeats?: Repeats | undefined
      }
    : unknown)

export type Answer<T> = {
  data: T
  text: string
  status: number
  headers: Readonly<Record<string, string>>
  /** An earlier attempt got no response, so a replayed result may be this call's own. */
  isRepeat?: true
}

export type DataOf<Id extends OperationId> = Id extends PagedId ? Page<ResultOf<Id>> : ResultOf<Id>

/** Each method throws `ServiceError` on an error response, `NetworkError` without a response; a list's `all` walks its pages. */
export type Client = {
  [Id in OperationId]: Method<Id> & (Id extends ListId ? { all: All<Id> } : unknown)
}
type Method<Id extends OperationId> =
  Record<never, never> extends Request<Id>
    ? (request?: Request<Id>) => Promise<Answer<DataOf<Id>>>
    : (request: Request<Id>) => Promise<Answer<DataOf<Id>>>
type ListId = PagedId | 'listEvents'
type All<Id extends ListId> =
  Record<never, never> extends Request<Id>
    ? (request?: Request<Id>) => AsyncGenerator<ResultIn<Id>, void, undefined>
    : (request: Request<Id>) => AsyncGenerator<ResultIn<Id>, void, undefined>
type ResultIn<Id extends ListId> = DataOf<Id> extends { results: Array<infer Result> } ? Result : never

type ClientOptions = {
  transport: Transport
  baseUrl: string
  newIdempotencyKey: () => string
}

type AnyRequest = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  form?: Record<string, unknown> & { file: FileInput }
  idempotencyKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
  isTriedOnce?: true
  repeats?: Repeats
}

export function createClient(options: ClientOptions): Client {
  const methods: Record<string, unknown> = {}
  for (const id of Object.keys(operations) as OperationId[]) {
    const method = async (request: AnyRequest = {}): Promise<Answer<unknown>> => {
      const call = callOf(options, id, request)
      return answerOf(await options.transport(call), id, call)
    }
    const all = (request?: AnyRequest) => everyResult(method as List, request)
    methods[id] = Object.assign(method, 'paged' in operations[id] || id === 'listEvents' ? { all } : {})
  }
  return methods as unknown as Client
}

function paramsOf(id: OperationId, params: Call['params'] = {}): Call['params'] {
  const { path } = operations[id]
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
    if (typeof params[name] !== 'string') throw new TypeError(`params.${name}: give the text of ${path}.`)
  return params
}

function callOf(options: ClientOptions, id: OperationId, request: AnyRequest): Call {
  const headers: Record<string, string> = { ...request.headers }
  if (operations[id].method === 'POST') {
    headers['idempotency-key'] = request.idempotencyKey ?? options.newIdempotencyKey()
  }
  if (request.repeats !== undefined) headers['custody-repeats'] = request.repeats
  return {
    operation: id,
    params: paramsOf(id, request.params),
    query: pairsOf(request.query),
    headers,
    body: () => bodyOf(request),
    baseUrl: options.baseUrl,
    ...(request.signal && { signal: request.signal }),
    ...(request.isTriedOnce && { isTriedOnce: true }),
  }
}

function pairsOf(values: Record<string, unknown> = {}): Array<[string, string]> {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, Array.isArray(value) ? JSON.stringify(value) : String(value)] as [string, string]],
  )
}

async function bodyOf(request: AnyRequest): Promise<CallBody> {
  if (request.form) {
    const { file, ...texts } = request.form
    return { kind: 'form', fields: pairsOf(texts), files: [{ name: 'file', bytes: await bytesOf(file) }] }
  }
  return request.body === undefined ? { kind: 'empty' } : { kind: 'json', text: JSON.stringify(request.body) }
}

async function bytesOf(file: FileInput): Promise<Uint8Array> {
  if (typeof file === 'string') return new TextEncoder().encode(file)
  return file instanceof Uint8Array ? file : new Uint8Array(await file.arrayBuffer())
}

function answerOf(reply: Reply, id: OperationId, { baseUrl, params }: Call): Answer<unknown> {
  if (reply.status >= 400) throw new ServiceError(reply, params)
  rejectForeign(reply, id, baseUrl)
  // Uploads are parsed on demand: a caller that only counts created rows need not build them.
  let parsed = operation(id).form ? undefined : { data: dataOf(reply, id, baseUrl) }
  return {
    get data() {
      parsed ??= { data: dataOf(reply, id, baseUrl) }
      return parsed.data
    },
    text: reply.body,
    status: reply.status,
    headers: reply.headers,
    ...(reply.isRepeat && { isRepeat: true }),
  }
}

type ListRequest = { query?: Record<string, unknown> }
export type List = (request: ListRequest) => Promise<Answer<{ results: unknown[] }>>

export async function* everyResult(
  list: List,
  request: ListRequest = {},
): AsyncGenerator<unknown, void, undefined> {
  const pages = pagesOf((query) => list({ ...request, query }), { page_size: pageSizeMax, ...request.query })
  for await (const { data } of pages) yield* data.results
}

/** A response other than success. `code` is empty if the body is not an Error (2.12), which means another server. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
  /** The service may have carried it out: a proxy or an earlier attempt got no response. */
  readonly isInDoubt: boolean
  /** The next step, if the caller knows more than the code says. */
  advice?: string
  constructor(reply: Reply, params: Call['params'] = {}) {
    const body = parseError(reply.body)
    const message = body?.message ?? `The service answered ${reply.status} without an error body.`
    // The message is true of the last attempt only: an earlier one may have changed something.
    super(reply.isInDoubt ? message.replace(` ${unchangedMessage}`, '') : message)
    this.name = 'ServiceError'
    this.status = reply.status
    this.code = body?.code ?? ''
    this.extra = readable(body?.extra ?? {})
    this.headers = reply.headers
    this.params = params
    this.isInDoubt = reply.isInDoubt === true
    if (this.isInDoubt && reply.advice !== undefined) this.advice = reply.advice
  }
}

const texts: Shape = { values: { each: 'string' } }
const extraShapes: Readonly<Record<string, Shape>> = {
  fields: texts,
  errors: { each: { keys: { row: 'number', code: 'string', message: 'string', fields: texts } } },
  availability: { each: { keys: {} } },
  reachable: { each: 'string' },
  reachable_stages: { each: 'string' },
}

/** Without what a broken service answers in another form, so that its message is shown all the same. */
function readable(extra: Record<string, unknown>): Record<string, unknown> {
  const sound = Object.entries(extra).filter(([name, value]) => !shapeFault(value, own(extraShapes, name)))
  return Object.fromEntries(sound)
}

export function isErrorText(text: string): boolean {
  return parseError(text) !== undefined
}

type ErrorShape = { code: string; message: string; extra: Record<string, unknown> }
const errorShape: Shape = { keys: { code: 'string', message: 'string', extra: { keys: {} } } }

function parseError(text: string): ErrorShape | undefined {
  const body = parsedJson(text)
  return shapeFault(body, errorShape) === undefined ? (body as ErrorShape) : undefined
}
