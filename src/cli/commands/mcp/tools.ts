import {
  type Document,
  operationsOf,
  type Placed,
  resolved,
  type Schema,
} from '../../../contract/document/api-pages.ts'
import { openApiDocument } from '../../../contract/document/openapi.ts'
import type { Operation } from '../../../contract/operation.ts'
import { type OperationId, operation as operationOf } from '../../../contract/operations.ts'

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

export function isRead({ method }: Operation): boolean {
  return method === 'GET'
}

/** The answer comes in pages by number, which a tool reads by cursor. */
export function hasPages({ paged, linked }: Operation): boolean {
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
