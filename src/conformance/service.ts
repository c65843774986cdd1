import { type Client, createClient, ServiceError } from '../client/client.ts'
import { dataOf, rejectForeign } from '../client/foreign-answer.ts'
import type { Call, CallBody, FormFile, Reply, Transport } from '../contract/call.ts'
import { pageSizeMax } from '../contract/limits.ts'
import { type OperationId, operation as operationOf } from '../contract/operations.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'
import { randomHex, sleep } from '../runtime/runtime.ts'
import { Unmet, Unseen } from './outcomes.ts'
import { documentedOperation, type OpenApi, type ResponseRule } from './response-rule.ts'
import type { RawRequest, Subject } from './subject.ts'

export type Seen = {
  name: string
  status: number
  headers: Readonly<Record<string, string>>
  text: string
  body: unknown
}

/** Missing parts are filled in as a correct client would. */
type Ask = {
  params?: Record<string, string>
  query?: Readonly<Record<string, string>> | ReadonlyArray<readonly [string, string]>
  /** `undefined` leaves out a header that is sent by default: the API key, the Idempotency-Key. */
  headers?: Call['headers']
  json?: unknown
  text?: string
  form?: { fields?: ReadonlyArray<readonly [string, string]>; files?: readonly FormFile[] }
}

const requestsWaitMax = 10

/** The service under test. Every response must match its OpenAPI document. */
export class Service {
  readonly subject: Subject
  readonly document: OpenApi
  readonly client: Client
  readonly events: EventLog
  /** Operations with a response that lacked X-Request-Id. */
  readonly withoutRequestId: string[] = []
  readonly #transport: Transport
  readonly #tag = randomHex(4).toUpperCase()
  #count = 0

  constructor(subject: Subject, document: OpenApi, rule: ResponseRule) {
    this.subject = subject
    this.document = document
    this.#transport = watched(subject, document, rule, this.withoutRequestId)
    this.client = this.#clientOf(subject.key)
    this.events = createEventLog(this.client)
  }

  /** A name that no other run or check uses. */
  unique(prefix: string): string {
    return `${prefix}-${this.#tag}-${++this.#count}`
  }

  /** Another partner's client. Throws `Unseen` if no key of one was given. */
  stranger(): Client {
    const { strangerKey } = this.subject
    if (strangerKey === undefined) throw new Unseen("no second partner's key was given")
    return this.#clientOf(strangerKey)
  }

  /** Returns errors instead of throwing them, for requests that the typed client would not make. `undefined`: an unknown path. */
  async ask(id: OperationId | undefined, request: Ask = {}): Promise<Seen> {
    return seenOf(id, await this.#transport(this.callOf(id, request)))
  }

  /** Throws `Unseen` unless the run is over HTTP. */
  async raw(request: RawRequest): Promise<Reply> {
    const { raw } = this.subject
    if (!raw) throw new Unseen('only HTTP has it')
    return patiently(() => raw(request))
  }

  callOf(id: OperationId | undefined, request: Ask): Call {
    return callOf(this.subject, () => this.unique('K'), id, request)
  }

  #clientOf(key: string): Client {
    return createClient({
      transport: (call) => this.#transport({ ...call, headers: { 'x-api-key': key, ...call.headers } }),
      baseUrl: this.subject.baseUrl,
      newIdempotencyKey: () => this.unique('K'),
    })
  }
}

/** A run creates data, so it refuses to touch production. */
export class NotSandbox extends Error {
  constructor() {
    super('This service does not serve a sandbox. A run creates data, so it does not run in production.')
    this.name = 'NotSandbox'
  }
}

export async function rejectProduction({ client, document }: Service): Promise<void> {
  if (!documentedOperation(document, 'getClock')) return
  await client.getClock({}).catch((error: unknown) => {
    throw error instanceof ServiceError && error.status === 404 ? new NotSandbox() : error
  })
}

export async function readDocument(subject: Subject): Promise<OpenApi> {
  const call = callOf(subject, () => '', 'getOpenApi', { headers: { 'x-api-key': undefined } })
  const reply = await subject.transport(call)
  if (reply.status < 400) {
    rejectForeign(reply, 'getOpenApi', subject.baseUrl)
    return dataOf(reply, 'getOpenApi', subject.baseUrl) as OpenApi
  }
  const { openApiDocument } = await import('../contract/document/openapi.ts')
  return openApiDocument() as OpenApi
}

/** Waits and retries when rate limited, so that limits do not affect the checks. */
function watched(
  subject: Subject,
  document: OpenApi,
  rule: ResponseRule,
  withoutRequestId: string[],
): Transport {
  return async (call) => {
    const reply = await patiently(() => subject.transport(call))
    const { operation: id } = call
    if (!reply.headers['x-request-id']) withoutRequestId.push(id ?? 'an unknown path')
    if (id && reply.status === 404 && operationOf(id).extension && !documentedOperation(document, id)) {
      throw new Unseen(`the service does not offer ${id}`)
    }
    const fault = rule(id, reply)
    if (fault !== undefined) throw new Unmet(fault)
    return reply
  }
}

async function patiently(send: () => Promise<Reply>): Promise<Reply> {
  for (let waits = 0; ; waits++) {
    const reply = await send()
    if (reply.status !== 429 || waits === requestsWaitMax) return reply
    await sleep(1000 * Math.max(1, Number(reply.headers['retry-after']) || 1))
  }
}

function callOf(subject: Subject, newKey: () => string, id: OperationId | undefined, request: Ask): Call {
  const isPost = id !== undefined && operationOf(id).method === 'POST'
  const { query = [] } = request
  return {
    operation: id,
    params: request.params ?? {},
    query: (Array.isArray(query) ? query : Object.entries(query)) as ReadonlyArray<[string, string]>,
    headers: {
      'x-api-key': subject.key,
      ...(isPost && { 'idempotency-key': newKey() }),
      ...request.headers,
    },
    body: async () => bodyOf(request),
    baseUrl: subject.baseUrl,
  }
}

function bodyOf({ json, text, form }: Ask): CallBody {
  if (form) return { kind: 'form', fields: form.fields ?? [], files: form.files ?? [] }
  if (text !== undefined) return { kind: 'json', text }
  return json === undefined ? { kind: 'empty' } : { kind: 'json', text: JSON.stringify(json) }
}

export function seenOf(id: OperationId | undefined, { status, headers, body }: Reply): Seen {
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '')
  return {
    name: id ?? 'an unknown path',
    status,
    headers,
    text: body,
    body: isJson ? JSON.parse(body) : undefined,
  }
}

type EventLog = {
  /** The events since the last call; at the first call, all so far. */
  fresh(): Promise<WebhookEvent[]>
  /** Runs a task. Returns its result and the events about `subjects` that it caused, in order, also as lines. */
  during<T>(task: () => Promise<T>, subjects: Subjects<T>): Promise<During<T>>
}

/** QIDs and ids, or a function that finds them in the task's result. */
type Subjects<T> = readonly string[] | ((result: T) => readonly string[])
type During<T> = { result: T; lines: string[]; events: WebhookEvent[] }

function createEventLog(client: Client): EventLog {
  let cursor: string | undefined
  const fresh = async (): Promise<WebhookEvent[]> => {
    const events: WebhookEvent[] = []
    for (;;) {
      const { data } = await client.listEvents({ query: { page_size: pageSizeMax, starting_after: cursor } })
      events.push(...data.results)
      cursor = data.next_starting_after ?? cursor
      if (!data.has_more) return events
    }
  }
  return {
    fresh,
    async during(task, subjects) {
      await fresh()
      const result = await task()
      const about = typeof subjects === 'function' ? subjects(result) : subjects
      const events = (await fresh()).filter((event) => about.includes(subjectOf(event)))
      return { result, events, lines: events.map(eventLine) }
    },
  }
}

function subjectOf({ data }: WebhookEvent): string {
  if ('totals' in data) return data.manifest_id
  return 'qid' in data ? data.qid : data.id
}

/** As in `item.status.changed Q-… available`. */
function eventLine(event: WebhookEvent): string {
  const { type, data } = event
  if ('totals' in data) return `${type} ${data.manifest_id}`
  return `${type} ${subjectOf(event)} ${'item' in data ? data.item.status : data.status}`
}
