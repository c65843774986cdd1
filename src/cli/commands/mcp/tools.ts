import { type Answer, type Client, ServiceError } from '../../../client/client.ts'
import { NetworkError } from '../../../client/network-error.ts'
import { hasNextPage } from '../../../client/pages.ts'
import {
  type Document,
  operationsOf,
  type Placed,
  resolved,
  type Schema,
} from '../../../contract/document/api-pages.ts'
import { openApiDocument } from '../../../contract/document/openapi.ts'
import { once } from '../../../contract/once.ts'
import type { Operation } from '../../../contract/operation.ts'
import { type OperationId, operation as operationOf, operations } from '../../../contract/operations.ts'
import { sha256 } from '../../../domain/computing.ts'
import { newUuid } from '../../../runtime/runtime.ts'
import { CliError } from '../../base/cli-error.ts'
import { isObject } from '../../base/input-file.ts'
import { doubleOf } from '../../webhooks/subscription.ts'

type JsonSchema = { type: 'object'; properties: Record<string, object>; required?: string[] }

type Tool = {
  name: OperationId
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean }
}

/** Writes that only add: they move no goods and change nothing that exists. */
const onlyAdds = new Set<OperationId>([
  'submitManifest',
  'submitManifestCsv',
  'createProduct',
  'importProductsCsv',
  'createSubscription',
  'testSubscription',
  'redeliver',
  'replaySubscription',
  'createIntakes',
  'receiveManifest',
])

/** Fields of answers that combine several resources. */
const compoundParts = new Set(['results', 'totals', 'intakes'])

/** POSTs that set a state, so that repeating the call changes nothing more. */
const leadsToState = new Set<OperationId>([
  'closeManifest',
  'cancelFulfillment',
  'cancelTransfer',
  'advanceItem',
  'advanceFulfillment',
  'resolveTransfer',
])

/** Omits what an assistant can leave to the service's checks, because it reads all tools before its first question. */
export function toolsFor({ writes }: { writes: boolean }): Tool[] {
  const document = openApiDocument() as Document
  return operationsOf(document)
    .filter(({ operation: { operationId } }) => {
      const row = operationOf(operationId as OperationId)
      return !row.open && (writes || isRead(row))
    })
    .map((placed) => toolOf(document, placed))
}

function isRead({ method }: Operation): boolean {
  return method === 'GET'
}

/** The answer comes in pages by number, which a tool reads by cursor. */
function hasPages({ paged, linked }: Operation): boolean {
  return paged === true || linked === true
}

function toolOf(document: Document, placed: Placed): Tool {
  const { operation } = placed
  const name = operation.operationId as OperationId
  const row = operationOf(name)
  const output = outputOf(document, placed, row)
  return {
    name,
    title: titleOf(name),
    description: [withoutHttp(operation.description), row.repeats ? repeatsText(row) : ''].join(' ').trim(),
    inputSchema: inputOf(document, placed, row),
    ...(output && { outputSchema: output }),
    annotations: annotationsOf(name, row),
  }
}

/** A call has no headers and no path; sentences about them come last. */
function withoutHttp(text: string): string {
  return text.split(/ (?:(?:Under )?`Custody-|With `Prefer|The `Link`|URL-encode it)/)[0] ?? text
}

/** These tools send `Custody-Repeats: skip`. */
function repeatsText({ path }: Operation): string {
  const remedy = path.startsWith('/fulfillments') ? '; an equal order needs another `external_ref`' : ''
  return `A repeat creates nothing: see \`repeated\`${remedy}.`
}

function titleOf(name: OperationId): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ csv$/, ' (CSV)')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

function annotationsOf(name: OperationId, row: Operation): Tool['annotations'] {
  if (isRead(row)) return { readOnlyHint: true }
  return {
    readOnlyHint: false,
    destructiveHint: !onlyAdds.has(name),
    idempotentHint: row.method !== 'POST' || leadsToState.has(name),
  }
}

/** Path, query, body, and form share no name, so one object can have all their fields. */
function inputOf(document: Document, { operation }: Placed, row: Operation): JsonSchema {
  const parameters = operation.parameters
    .map((parameter) => resolved(document, parameter))
    .filter((parameter) => parameter.in !== 'header' && !(hasPages(row) && parameter.name === 'page'))
  const [content] = Object.values(operation.requestBody?.content ?? {})
  const body = content && resolved(document, content.schema)
  const properties = {
    ...Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        brief(document, { ...schema, description: description && withoutHttp(description) }),
      ]),
    ),
    ...partsOf(document, body),
    ...(hasPages(row) && { cursor: text('From `next_cursor`.') }),
    ...(row.showsSecret && {
      show_secret: { type: 'boolean', description: 'Show the secret in the response.' },
    }),
    ...(row.method === 'POST' && {
      idempotency_key: text('Optional: the same key runs once.'),
    }),
  }
  const required = [
    ...parameters.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(body?.required ?? []),
  ]
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** Includes only the fields that the next call needs. The rest is on the operation's page, a resource of this server. */
const keyFields = [
  ...['qid', 'product_id', 'id', 'reference', 'status', 'items', 'lines'],
  ...['now', 'by_status', 'queued'],
]

function outputOf(document: Document, { operation }: Placed, row: Operation): JsonSchema | undefined {
  const answer = operation.responses[String(row.success)]
  const [content] = Object.values((answer && resolved(document, answer).content) ?? {})
  if (content === undefined) return undefined
  const schema = resolved(document, content.schema)
  // A slab and a product have these fields in common.
  const { properties = {} } = resolved(document, schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema)
  const names = row.paged ? ['results', 'total'] : Object.keys(properties)
  const isCompound = names.some((name) => compoundParts.has(name))
  const shown = [
    ...(isCompound ? names : keyFields.filter((name) => names.includes(name))),
    ...(hasPages(row) ? ['next_cursor'] : []),
    ...(row.repeats && !names.includes('repeated') ? ['repeated'] : []),
  ]
  return { type: 'object', properties: Object.fromEntries(shown.map((name) => [name, {}])) }
}

function partsOf(document: Document, schema: Schema | undefined): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, part]) => [name, brief(document, part)]),
  )
}

/** Omits patterns and lengths, which the service checks and names. */
function brief(document: Document, schema: Schema, above?: string): object {
  const { description, ...own } = schema
  const whole: Schema = resolved(document, own as Schema)
  const [variant, ...others] = (whole.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (variant && others.length === 0) return brief(document, { description, ...variant } as Schema)
  const { type, format, enum: words, const: only, items, properties, required, anyOf, oneOf } = whole
  const variants = anyOf ?? oneOf
  // Only the first paragraph: the rest explains the words of an enum. A list has already described its elements.
  const told = above === undefined ? (description ?? whole.description)?.split('\n\n')[0] : undefined
  return {
    ...(type !== undefined && { type }),
    ...(words && { enum: words }),
    ...(format?.startsWith('date') && { format }),
    ...(only !== undefined && { const: only }),
    ...(told && { description: told }),
    ...(items && { items: brief(document, items, told) }),
    ...(properties && { properties: partsOf(document, whole) }),
    ...(required && required.length > 0 && { required }),
    ...(variants && { anyOf: variants.map((each) => brief(document, each)) }),
  }
}

function text(description: string): object {
  return { type: 'string', description }
}

type Fields = Readonly<Record<string, unknown>>
type ToolResult = {
  content: Array<{ type: 'text'; text: string }>
  structuredContent?: Record<string, unknown>
  isError?: true
}
type Method = (request: object) => Promise<Answer<unknown>>

/** The signal aborts the call. Throws any error that is not the service's answer. */
type CallTool = (name: string, given: Fields, signal: AbortSignal) => Promise<ToolResult>

/** `double`: a call that begins at the same moment waits for the first one's check. */
type Kept = { key: string; double: Promise<string | undefined> | undefined }

/** Writes whose keys are kept; the oldest is forgotten first. */
const unknownMax = 1000

/** A write keeps its Idempotency-Key until its outcome is known, so repeating a call that timed out or was cancelled is safe. */
export function toolCaller(client: Client, { writes }: { writes: boolean }): CallTool {
  const keys = new Map<string, Kept>()
  const tools = once(() => new Map(toolsFor({ writes }).map((tool) => [tool.name, tool])))
  return async (name, given, signal) => {
    const operation = Object.hasOwn(operations, name)
      ? (operations[name as OperationId] as Operation)
      : undefined
    if (operation === undefined || operation.open) return failed(`There is no tool ${name.slice(0, 100)}.`)
    if (!isRead(operation) && !writes)
      return failed(
        `${name} changes data, and this server only reads: it was started without --allow-writes.`,
      )
    const unknown = unknownArguments(tools().get(name as OperationId), given)
    if (unknown !== undefined) return failed(unknown)
    const missing = Object.keys(operation.params ?? {}).find((param) => given[param] === undefined)
    if (missing !== undefined) return failed(`${missing} is required.`)
    const { idempotency_key: ownKey, show_secret, cursor, ...fields } = given
    // With a key chosen by custody, a repeated call would be carried out again.
    if (ownKey !== undefined && typeof ownKey !== 'string') return failed('idempotency_key must be a string.')
    const same = sha256(`${name} ${sortedJson(fields)}`).slice(0, 16)
    const page = pageOf(operation, cursor, same)
    if (page === undefined)
      return failed('cursor: must be a next_cursor that the same tool returned for the same arguments.')
    const kept = keys.get(same)
    const key = ownKey ?? kept?.key ?? newUuid()
    const isKept = operation.method === 'POST' && ownKey === undefined
    const double = ownKey === undefined ? (kept?.double ?? doubleWebhook(client, name, fields)) : undefined
    if (isKept) keep(keys, same, { key, double })
    const request = { ...requestOf(operation, { ...fields, ...page }), idempotencyKey: key, signal }
    try {
      const found = await double?.catch((error) => {
        keys.delete(same)
        throw error
      })
      if (found !== undefined) {
        keys.delete(same)
        return failed(found)
      }
      const answer = await (client[name as OperationId] as Method)(request)
      const shown = shownOf(operation, answer, {
        same,
        page: page.page ?? 1,
        key,
        isSecretShown: show_secret === true,
      })
      // The assistant never learns the outcome of a cancelled call.
      if (isKept && !signal.aborted) keys.delete(same)
      return shown
    } catch (error) {
      if (error instanceof CliError) return failed([error.message, error.hint].filter(Boolean).join(' '))
      if (!(error instanceof ServiceError || error instanceof NetworkError)) throw error
      if (isKept && !error.isInDoubt) keys.delete(same)
      return failed(`${wordsOf(error)}${doubtOf(operation, error, key)}`)
    }
  }
}

function unknownArguments(tool: Tool | undefined, given: Fields): string | undefined {
  const known = Object.keys(tool?.inputSchema.properties ?? {})
  const unknown = Object.keys(given).filter((argument) => !known.includes(argument))
  if (unknown.length === 0) return undefined
  const named = unknown.slice(0, 10).map((argument) => argument.slice(0, 100))
  const rest = known.length > 0 ? `Its arguments are ${known.join(', ')}.` : 'It has no arguments.'
  return `${tool?.name} has no ${named.join(', ')}. ${rest}`
}

/** A receiver that gets each event twice acts twice, so only a person decides so. */
async function doubleWebhook(client: Client, name: string, fields: Fields): Promise<string | undefined> {
  const { subscription_id, url, event_types } = fields
  const isChange = name === 'updateSubscription' && (url ?? event_types) !== undefined
  if (name !== 'createSubscription' && !isChange) return undefined
  const double = await doubleOf(client, fields, isChange ? String(subscription_id) : undefined)
  return (
    double &&
    `${double.url} already has a webhook for such events: ${double.id}. Nothing was changed. Change that webhook, or name only types that it does not have.`
  )
}

function keep(keys: Map<string, Kept>, same: string, kept: Kept): void {
  const [oldest] = keys.keys()
  if (keys.size >= unknownMax && oldest !== undefined) keys.delete(oldest)
  keys.set(same, kept)
}

/** Undefined if the cursor belongs to other arguments, whose pages are different. */
function pageOf(operation: Operation, cursor: unknown, same: string): { page?: number } | undefined {
  if (cursor === undefined || cursor === null) return {}
  const [page = '', of] = String(cursor).split('-')
  return hasPages(operation) && /^\d{1,9}$/.test(page) && of === same ? { page: Number(page) } : undefined
}

function requestOf(operation: Operation, fields: Fields): object {
  const ofPath = operation.params ?? {}
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(ofPath, name)))
  const { file = '', ...texts } = rest
  return {
    params: Object.fromEntries(Object.keys(ofPath).map((name) => [name, String(fields[name])])),
    // An assistant that lost an answer may call again, so nothing is created twice (decisions 13).
    ...(operation.repeats && { repeats: 'skip' }),
    ...(operation.form
      ? { form: { ...texts, file: Buffer.from(String(file)) } }
      : operation.body
        ? { body: rest }
        : { query: rest }),
  }
}

type Shown = { same: string; page: number; key: string; isSecretShown: boolean }

function shownOf(operation: Operation, answer: Answer<unknown>, shown: Shown): ToolResult {
  if (answer.text === '') return { content: [{ type: 'text', text: 'Done.' }] }
  const data = answer.data as Record<string, unknown>
  const next = `${shown.page + 1}-${shown.same}`
  if (operation.paged)
    return result({
      results: data.results,
      total: data.total,
      next_cursor: data.next_page_number === null ? null : next,
    })
  if (operation.linked) return result({ ...data, next_cursor: hasNextPage(answer) ? next : null })
  if (operation.showsSecret && !shown.isSecretShown)
    return result({
      ...data,
      secret: `[hidden: to see it, call again with the same arguments, show_secret true and idempotency_key ${shown.key}]`,
    })
  return result({ ...data, ...(answer.headers['custody-repeated'] === 'true' && { repeated: true }) })
}

function result(structuredContent: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

function wordsOf(error: ServiceError | NetworkError): string {
  if (error instanceof NetworkError) return error.message
  return JSON.stringify({ code: error.code, message: error.message, extra: error.extra })
}

function doubtOf({ method }: Operation, { isInDoubt }: ServiceError | NetworkError, key: string): string {
  if (!isInDoubt || method === 'GET') return ''
  const means =
    method === 'POST' ? `: it reuses Idempotency-Key ${key}, so it is carried out at most once` : ''
  return `\nIt may have been carried out. Call it again with the same arguments${means}.`
}

function failed(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** JSON that does not depend on the order in which an assistant writes its arguments. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
