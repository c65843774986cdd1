import { type WebhookEventType, webhookEvents, webhookEventTypes } from '../enums.ts'
import {
  attemptDelaysSeconds,
  attemptSecondsMax,
  csvFileBytesMax,
  csvRowsMax,
  pageSizeMax,
  signatureMinutesMax,
} from '../limits.ts'
import { once } from '../once.ts'
import type { Filters, Operation } from '../operation.ts'
import { type OperationId, operations } from '../operations.ts'
import { own } from '../own.ts'
import type { AnyDescribedOperation, DescribedOperations, ParameterProse } from './examples/described.ts'
import { events, ids, qids } from './examples/examples.ts'
import { headerParameters, headerParametersOf, requiredHeader, responseHeaders } from './headers.ts'
import { eventName, eventsProse } from './prose/events.ts'
import { fulfillmentsProse } from './prose/fulfillments.ts'
import { itemsProse } from './prose/items.ts'
import { manifestsProse } from './prose/manifests.ts'
import { productsProse } from './prose/products.ts'
import { sandboxProse } from './prose/sandbox.ts'
import { errorResponses, responsesOf } from './responses.ts'
import { componentSchemas, type Schema, schemaOf } from './schemas.ts'

/** Builds the OpenAPI 3.1 document of the whole API from the operations table. */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Custody, Manifest and Fulfillment Service',
      version: '1.0.0',
      description:
        'Warehouse custody for partner accounts: manifests, catalog, items, fulfillments, transfers, stock, and signed events. ' +
        'Operations marked `x-extension` go beyond the first published interface.',
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1', description: 'This service (sandbox or production)', 'x-internal': false }],
    security: [{ apiKey: [] }],
    tags: tagObjects(),
    paths: pathObjects(),
    webhooks: webhookObjects(),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      parameters: { ...headerParameters, ...webhookParameters },
      headers: responseHeaders,
      responses: errorResponses(),
      schemas: { ...componentSchemas(), ...uploadSchemas(table) },
    },
  }
}

/** The exact text of `GET /openapi.json` and `custody openapi`. */
export const openApiText = once(() => `${JSON.stringify(openApiDocument(), null, 2)}\n`)

const table = Object.entries(operations) as Array<[OperationId, Operation]>

function pathObjects(): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [id, operation] of table.toSorted(([, one], [, other]) => byTag(one, other))) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(id, operation),
    }
  }
  return paths
}

const prose: DescribedOperations<OperationId> = {
  ...manifestsProse,
  ...productsProse,
  ...itemsProse,
  ...fulfillmentsProse,
  ...eventsProse,
  ...sandboxProse,
}

function operationObject(id: OperationId, operation: Operation): Schema {
  const ours: AnyDescribedOperation = prose[id]
  return {
    operationId: id,
    summary: operation.summary,
    description: ours.description,
    tags: [tagOf(operation)],
    ...(operation.extension && { 'x-extension': true }),
    ...(operation.open && { security: [] }),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...headerParametersOf(operation),
    ],
    ...bodyOf(id, operation, ours),
    responses: responsesOf(operation, ours),
  }
}

const inPath: Record<string, ParameterProse> = {
  manifest_id: ['The `id` of the manifest.', ids.manifest],
  product_id: ['The `product_id` of the product.', ids.product],
  qid: ['The `qid` of the item, unchanged. URL-encode it in the path.', qids.slab],
  fulfillment_id: ['The `id` of the fulfillment.', ids.fulfillment],
  transfer_id: ['The `id` of the transfer.', ids.transfer],
  subscription_id: ['The `id` of the subscription.', ids.subscription],
  delivery_id: ['The `id` of the delivery.', ids.delivery],
}

function pathParameters(operation: Operation): Schema[] {
  return Object.entries(operation.params ?? {}).map(([name, kind]) => {
    const [description, example] = own(inPath, name) ?? []
    const isUuid = kind === 'uuid' || name.endsWith('_id')
    const schema = isUuid
      ? { type: 'string', format: 'uuid' }
      : { type: 'string', minLength: 1, maxLength: 64 }
    return { name, in: 'path', required: true, description, schema, example }
  })
}

function queryParameters(operation: Operation): Schema[] {
  const listed: Filters = { ...operation.order, ...operation.filters }
  const schema = operation.query ? schemaOf(operation.query(), 'input') : {}
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, form]) => {
    const { maximum = pageSizeMax } = form
    const paging: Record<string, ParameterProse> = {
      page: ['Page number, starting at 1.', 1],
      page_size: [`Results per page, at most ${maximum}.`, 100],
    }
    const filter = listed[name]
    const [description, example] = filter ? [`${filter.words}.`, filter.example] : (paging[name] ?? [])
    const isText = form.type === 'string' && !form.enum && !form.format
    const schema = isText ? { minLength: 1, ...form } : form
    const parameter = { name, in: 'query', required: false, description }
    return filter?.isForm
      ? { ...parameter, schema: { ...schema, examples: [example] } }
      : { ...parameter, schema, example }
  })
}

function bodyOf(id: string, operation: Operation, { requests = {} }: AnyDescribedOperation): Schema {
  const examples = Object.fromEntries(
    Object.entries(requests).map(([summary, value]) => [keyOf(summary), { summary, value }]),
  )
  if (operation.body) {
    const schema = schemaOf(operation.body(), 'input')
    const required = operation.body().safeParse({}).success === false
    const content = { 'application/json': { schema, examples } }
    return { requestBody: { description: 'The request body.', required, content } }
  }
  if (!operation.form) return {}
  const content = {
    schema: { $ref: `#/components/schemas/${uploadName(id)}` },
    examples,
    encoding: { file: { contentType: 'text/csv' } },
  }
  return {
    requestBody: {
      description: 'The CSV file and its form fields.',
      required: true,
      content: { 'multipart/form-data': content },
    },
  }
}

/** As in `two-boxes-by-sku`. */
function keyOf(summary: string): string {
  return summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

const seconds = '1772809364'

const webhookParameters = {
  WebhookId: requiredHeader('webhook-id', {
    description:
      'The id of the event, the same on every attempt. Store it, and ignore events whose id you have already seen.',
    schema: { type: 'string', format: 'uuid' },
    example: '019cc796-1a80-72cd-9d0d-7e733012759c',
  }),
  WebhookTimestamp: requiredHeader('webhook-timestamp', {
    description: `When this attempt was signed, as a Unix timestamp in seconds. Reject the request if the timestamp is more than ${signatureMinutesMax} minutes off.`,
    schema: { type: 'string', pattern: '^\\d+$', maxLength: 20 },
    example: seconds,
  }),
  WebhookSignature: requiredHeader('webhook-signature', {
    description:
      '`v1,` followed by the base64-encoded HMAC-SHA256 of `webhook-id.webhook-timestamp.body`, computed over the raw body. The key is the part of the secret after `whsec_`, base64-decoded. During a rotation the header has two signatures, separated by a space; one match is enough. Compare in constant time.',
    schema: { type: 'string', pattern: '^v1,', maxLength: 200 },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
}

function webhookObjects(): Record<string, Schema> {
  return Object.fromEntries(webhookEventTypes.map((type) => [type, { post: delivery(type) }]))
}

const attemptDays = Math.round(attemptDelaysSeconds.reduce((sum, delay) => sum + delay, 0) / 86_400)

function delivery(type: WebhookEventType): Schema {
  const name = eventName(type)
  const schema = { $ref: `#/components/schemas/${name}` }
  const examples = { [type]: { summary: `Posted when ${webhookEvents[type].means}`, value: events[type] } }
  return {
    operationId: `on${name}`,
    summary: `Posted when ${webhookEvents[type].means}`,
    description: `Posted to every subscription to \`${type}\` when ${webhookEvents[type].means}. Events are delivered at least once and may arrive out of order. The body is byte for byte the same as the event in \`GET /events\`. A delivery has up to ${attemptDelaysSeconds.length} attempts, over about ${attemptDays} days.`,
    tags: ['webhook-subscriptions'],
    security: [],
    parameters: Object.keys(webhookParameters).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    requestBody: {
      description: 'The event.',
      required: true,
      content: { 'application/json': { schema, examples } },
    },
    responses: {
      '2XX': {
        description: `Accepted. Respond within ${attemptSecondsMax} seconds, before you process the event.`,
      },
      '410': { description: 'Gone. The subscription is deactivated.' },
      '3XX': { description: 'Not accepted: redirects are not followed. The delivery is retried.' },
      '4XX': { description: 'Not accepted. The delivery is retried, after `Retry-After` if sent.' },
      '5XX': { description: 'Not accepted. The delivery is retried, after `Retry-After` if sent.' },
    },
  }
}

const rows: Partial<Record<OperationId, string>> = {
  submitManifestCsv: 'ManifestCsvRow',
  importProductsCsv: 'ProductCsvRow',
  importFulfillmentsCsv: 'FulfillmentCsvRow',
}

const formFields: Record<string, string> = {
  reference: 'Your reference for the purchase, such as an order number or the id of a buy sheet.',
  source: 'Where you made the purchase.',
}

function uploadSchemas(table: ReadonlyArray<readonly [string, Operation]>): Record<string, Schema> {
  const named: Record<string, Schema> = {}
  for (const [id, operation] of table)
    if (operation.form) named[uploadName(id)] = uploadSchema(id as OperationId, operation)
  return named
}

/** As in `ManifestCsvUpload`. */
function uploadName(id: string): string {
  return String(rows[id as OperationId]).replace('Row', 'Upload')
}

function uploadSchema(id: OperationId, operation: Operation): Schema {
  const form = operation.form ? schemaOf(operation.form(), 'input') : {}
  const { properties = {}, required = [], ...rest } = form as Form
  const described = Object.entries(properties).map(([name, schema]) => [
    name,
    {
      description: own(formFields, name),
      examples: [name === 'source' ? 'card_show' : 'PO-1043'],
      ...schema,
    },
  ])
  return {
    description: 'A CSV file and its form fields.',
    ...rest,
    properties: { file: fileOf(String(rows[id])), ...Object.fromEntries(described) },
    required: ['file', ...required],
  }
}

type Form = { properties?: Record<string, Schema>; required?: string[] }

function fileOf(row: string): Schema {
  return {
    type: 'string',
    format: 'binary',
    contentMediaType: 'text/csv',
    maxLength: csvFileBytesMax,
    contentSchema: { type: 'array', maxItems: csvRowsMax, items: { $ref: `#/components/schemas/${row}` } },
    description: `A comma-separated file in UTF-8, with or without a filename: at most ${csvFileBytesMax / 1024 / 1024} MiB and ${csvRowsMax.toLocaleString('en')} rows. The first line names the columns, in any order; only those of \`${row}\` are allowed. Text limits are those of the JSON fields of the same name, in code points.`,
  }
}

/** The subjects, in the order that suits a newcomer. */
const tags: Record<string, string> = {
  products: 'The catalog: the products you sell, each with a SKU, dimensions, and a weight.',
  manifests: 'Purchases you expect to arrive, line by line, and their reconciliation.',
  sandbox: 'Simulated arrivals, fulfillments, and time. 404 in production.',
  intakes: 'Arrivals, as the warehouse recorded them.',
  items: 'The items in custody: one record for each physical item.',
  inventory: 'Stock levels by SKU.',
  fulfillments: 'Outbound shipments of items.',
  transfers: 'Items offered for sell-back.',
  events: 'The log of all events, read by cursor.',
  'webhook-subscriptions': 'The same events, signed and posted to your URL.',
  document: 'This OpenAPI document.',
}

const names = Object.keys(tags)

function tagObjects(): Array<{ name: string; description: string }> {
  return Object.entries(tags).map(([name, description]) => ({ name, description }))
}

/** The subject of an operation: the first part of its path. */
function tagOf({ path }: Operation): string {
  const first = path.split('/')[1] ?? ''
  return own(otherNames, first) ?? first
}

const otherNames: Record<string, string> = { slabs: 'items', 'openapi.json': 'document' }

function byTag(one: Operation, other: Operation): number {
  return names.indexOf(tagOf(one)) - names.indexOf(tagOf(other))
}
