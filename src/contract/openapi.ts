import type * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import { idempotencyKeyMax } from './limits.ts'
import { components } from './openapi-components.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { isOpen, pageOf } from './primitives.ts'

type Schema = Record<string, unknown>

/** The OpenAPI 3.1 document of the whole interface, made from the operations table. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [id, operation] of Object.entries(operations) as Array<[string, Operation]>) {
    paths[operation.path] ??= {}
    Object.assign(paths[operation.path] as object, {
      [operation.method.toLowerCase()]: describe(id, operation),
    })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Custody, Manifest and Fulfillment Service',
      version: '1.0.0',
      description:
        'Warehouse custody for partner accounts: manifests, catalog, items, fulfillments, transfers, stock and signed events. ' +
        'Operations marked `x-extension` go beyond the first published interface.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1', description: 'This service' }],
    security: [{ apiKey: [] }],
    tags: Object.keys(tags).map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: componentSchemas(),
    },
  }
}

let rendered: string | undefined

/** The document's bytes, as `GET /openapi.json` and `custody openapi` give them. */
export function openApiText(): string {
  rendered ??= `${JSON.stringify(openApiDocument(), null, 2)}\n`
  return rendered
}

const tags: Record<string, string> = {
  manifests: 'What was bought and is expected to arrive',
  products: 'The catalog',
  items: 'What the warehouse holds',
  intakes: 'Arrivals',
  inventory: 'Stock levels by SKU',
  fulfillments: 'Outbound shipments',
  transfers: 'Sell-back',
  events: 'The log of events',
  'webhook-subscriptions': 'Events pushed to an address',
  sandbox: 'Rehearsal without physical product',
  'openapi.json': 'The interface itself',
}

const errorNames: Record<number, string> = {
  400: 'Validation failed; `extra.fields` names every faulty field',
  401: 'Missing, invalid, expired or environment-mismatched API key',
  404: 'No such resource for this partner and environment',
  409: 'The state of the resource prevents the action',
  429: 'Rate limit exceeded for this API key, or too much under way at once: `extra.limit` names what',
  500: 'A fault of the service; `extra.request_id` names the request',
  503: 'The service cannot do it right now; try again after `Retry-After`',
}

function describe(id: string, operation: Operation): Schema {
  return {
    operationId: id,
    summary: operation.summary,
    tags: [operation.path.split('/')[1]],
    ...(operation.extension && { 'x-extension': true }),
    ...(operation.open && { security: [] }),
    parameters: parametersOf(operation),
    ...bodyOf(operation),
    responses: responsesOf(operation),
  }
}

function parametersOf(operation: Operation): Schema[] {
  const parameters: Schema[] = Object.entries(operation.params ?? {}).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    schema: kind === 'uuid' || name.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }))
  const query = operation.query ? schemaOf(operation.query(), 'input') : {}
  for (const [name, schema] of Object.entries((query.properties ?? {}) as Record<string, Schema>)) {
    const isText = schema.type === 'string' && !schema.enum && !schema.format
    parameters.push({
      name,
      in: 'query',
      required: false,
      schema: isText ? { minLength: 1, ...schema } : schema,
    })
  }
  if (operation.method === 'POST') {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax, pattern: '^[\\x20-\\x7e]+$' },
    })
  }
  return parameters
}

function bodyOf(operation: Operation): Schema {
  if (operation.body) {
    const schema = schemaOf(operation.body(), 'input')
    const required = operation.body().safeParse({}).success === false
    return { requestBody: { required, content: { 'application/json': { schema } } } }
  }
  if (!operation.form) return {}
  const schema = schemaOf(operation.form(), 'input') as { properties?: Schema; required?: string[] }
  const form = {
    ...schema,
    properties: { file: csvFile, ...schema.properties },
    required: ['file', ...(schema.required ?? [])],
  }
  const content = { schema: form, encoding: { file: { contentType: 'text/csv' } } }
  return { requestBody: { required: true, content: { 'multipart/form-data': content } } }
}

const csvFile = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'text/csv',
  description:
    'UTF-8, a header line, comma-separated; with or without a filename. A column has the length of the JSON field of its name, in code points.',
}

function responsesOf(operation: Operation): Schema {
  const responses: Record<string, unknown> = { [operation.success]: successOf(operation) }
  const statuses = new Set(operation.errors)
  if (!operation.open) for (const status of [400, 500, 503]) statuses.add(status)
  for (const status of [...statuses].sort()) {
    const $ref = `#/components/schemas/${status < 500 ? 'Error' : 'InternalError'}`
    responses[status] = {
      description: errorNames[status],
      content: { 'application/json': { schema: { $ref } } },
    }
  }
  return responses
}

const linkHeader = {
  Link: {
    description: 'Where there are more lines than fit into the page: `<URL>; rel="next"` (RFC 8288)',
    schema: { type: 'string' },
  },
}

function successOf(operation: Operation): Schema {
  const response = operation.response?.()
  if (!response) return { description: 'Done' }
  const schema = schemaOf(operation.paged ? pageOf(response) : response, 'output')
  const content = { 'application/json': { schema } }
  return { description: operation.summary, ...(operation.linked && { headers: linkHeader }), content }
}

/** Schemas that have a name are referred to, never repeated. */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Schema {
  const made = toJSONSchema(schema, {
    io,
    metadata: components,
    target: 'draft-2020-12',
    override: tolerant,
  }) as Schema
  const { $schema: _, $defs: __, ...rest } = made
  const named = components.get(schema)?.id
  if (named) return { $ref: `#/components/schemas/${named}` }
  return withReferences(rest) as Schema
}

/** What is sent is shown as it may be sent: a field with a default may be left out. */
function componentSchemas(): Record<string, unknown> {
  const render = (io: 'input' | 'output') =>
    toJSONSchema(components, {
      io,
      uri: (id) => `#/components/schemas/${id}`,
      target: 'draft-2020-12',
      override: tolerant,
    }).schemas as Record<string, Schema>
  const [sent, answered] = [render('input'), render('output')]
  const named: Record<string, unknown> = {}
  for (const name of Object.keys(answered).sort()) {
    const schema = sent[name]?.additionalProperties === false ? sent[name] : answered[name]
    const { $schema: _, $id: __, id: ___, ...rest } = schema as Schema
    named[name] = withReferences(rest)
  }
  return named
}

/** Answers may gain fields within v1, and some vocabularies words: clients must not refuse them. What is sent stays strict. */
function tolerant({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }): void {
  const def = zodSchema._zod.def as {
    type: string
    format?: string
    catchall?: z.core.$ZodType
    discriminator?: string
  }
  const isStrict = def.catchall?._zod.def.type === 'never'
  if (def.type === 'object' && !isStrict) delete jsonSchema.additionalProperties
  // The pattern beside it would push it out.
  if (def.format === 'uri') jsonSchema.format = 'uri'
  if (isOpen(zodSchema)) {
    jsonSchema['x-extensible-enum'] = jsonSchema.enum
    jsonSchema.description = 'Values may be added within v1: take an unknown one as it is.'
    delete jsonSchema.enum
  }
  if (def.discriminator) addDiscriminator(zodSchema as z.core.$ZodDiscriminatedUnion, jsonSchema)
  delete jsonSchema.id
}

/** Generators tell the variants apart by it; it can only speak of those that have a name. */
function addDiscriminator({ _zod: { def } }: z.core.$ZodDiscriminatedUnion, jsonSchema: Schema): void {
  const mapping: Record<string, string> = {}
  for (const option of def.options) {
    const name = components.get(option as z.ZodMiniType)?.id
    const [value] = option._zod.propValues?.[def.discriminator] ?? []
    if (name) mapping[String(value)] = `#/components/schemas/${name}`
  }
  if (Object.keys(mapping).length === def.options.length)
    jsonSchema.discriminator = { propertyName: def.discriminator, mapping }
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) =>
      name === '$ref' && typeof part === 'string'
        ? [name, part.replace('#/$defs/', '#/components/schemas/')]
        : [name, withReferences(part)],
    ),
  )
}
