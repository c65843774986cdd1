import type * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import { components } from './openapi-components.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { pageOf } from './primitives.ts'

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
  429: 'Rate limit exceeded for this API key',
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
    parameters.push({ name, in: 'query', required: false, schema })
  }
  if (operation.method === 'POST') {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
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
    properties: { file: { type: 'string', contentMediaType: 'text/csv' }, ...schema.properties },
    required: ['file', ...(schema.required ?? [])],
  }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } }
}

function responsesOf(operation: Operation): Schema {
  const responses: Record<string, unknown> = { [operation.success]: successOf(operation) }
  const statuses = new Set(operation.errors)
  if (!operation.open) statuses.add(400)
  for (const status of [...statuses].sort()) {
    responses[status] = {
      description: errorNames[status],
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }
  }
  return responses
}

function successOf(operation: Operation): Schema {
  const response = operation.response?.()
  if (!response) return { description: 'Done' }
  const schema = schemaOf(operation.paged ? pageOf(response) : response, 'output')
  return { description: operation.summary, content: { 'application/json': { schema } } }
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

function componentSchemas(): Record<string, unknown> {
  const { schemas } = toJSONSchema(components, {
    uri: (id) => `#/components/schemas/${id}`,
    target: 'draft-2020-12',
    override: tolerant,
  })
  const named: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { $schema: _, $id: __, id: ___, ...rest } = schema as Schema
    named[name] = withReferences(rest)
  }
  return named
}

/** Answers may gain fields within v1: clients must not refuse them. What is sent stays strict. */
function tolerant({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }): void {
  const def = zodSchema._zod.def as { type: string; catchall?: z.core.$ZodType }
  const isStrict = def.catchall?._zod.def.type === 'never'
  if (def.type === 'object' && !isStrict) delete jsonSchema.additionalProperties
  delete jsonSchema.id
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
