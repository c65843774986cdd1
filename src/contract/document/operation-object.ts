import { pageSizeMax } from '../limits.ts'
import type { Filters, Operation } from '../operation.ts'
import type { OperationId } from '../operations.ts'
import { own } from '../own.ts'
import { uploadName } from './csv-uploads.ts'
import { headerParametersOf } from './headers.ts'
import { toldEvents } from './operation-prose/events.ts'
import { toldItems } from './operation-prose/items.ts'
import { toldManifests } from './operation-prose/manifests.ts'
import { toldOrders } from './operation-prose/orders.ts'
import { toldProducts } from './operation-prose/products.ts'
import { toldSandbox } from './operation-prose/sandbox.ts'
import { responsesOf } from './responses.ts'
import { type Schema, schemaOf } from './schemas.ts'
import { tagOf } from './tags.ts'
import { ids, qids } from './telling/examples.ts'
import type { AnyToldOperation, ToldOperations, ToldParameter } from './telling/told-operation.ts'

const told: ToldOperations<OperationId> = {
  ...toldManifests,
  ...toldProducts,
  ...toldItems,
  ...toldOrders,
  ...toldEvents,
  ...toldSandbox,
}

/** One operation as the document describes it. */
export function operationObject(id: OperationId, operation: Operation): Schema {
  const ours: AnyToldOperation = told[id]
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

const inPath: Record<string, ToldParameter> = {
  manifest_id: ['The `id` of the manifest.', ids.manifest],
  product_id: ['The `product_id` of the product.', ids.product],
  qid: ['The `qid` of the item, as it came; encode it.', qids.slab],
  fulfillment_id: ['The `id` of the shipment.', ids.fulfillment],
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
    const paging: Record<string, ToldParameter> = {
      page: ['Which page; the first is 1.', 1],
      page_size: [`How many a page may have, at most ${maximum}.`, 100],
    }
    const filter = listed[name]
    const [description, example] = filter ? [`${filter.words}.`, filter.example] : (paging[name] ?? [])
    const isText = form.type === 'string' && !form.enum && !form.format
    const schema = isText ? { minLength: 1, ...form } : form
    const told = { name, in: 'query', required: false, description }
    return filter?.isForm
      ? { ...told, schema: { ...schema, examples: [example] } }
      : { ...told, schema, example }
  })
}

function bodyOf(id: string, operation: Operation, { requests = {} }: AnyToldOperation): Schema {
  const examples = Object.fromEntries(
    Object.entries(requests).map(([summary, value]) => [keyOf(summary), { summary, value }]),
  )
  if (operation.body) {
    const schema = schemaOf(operation.body(), 'input')
    const required = operation.body().safeParse({}).success === false
    const content = { 'application/json': { schema, examples } }
    return { requestBody: { description: 'What is asked for.', required, content } }
  }
  if (!operation.form) return {}
  const content = {
    schema: { $ref: `#/components/schemas/${uploadName(id)}` },
    examples,
    encoding: { file: { contentType: 'text/csv' } },
  }
  return {
    requestBody: {
      description: 'The file, and what is said beside it.',
      required: true,
      content: { 'multipart/form-data': content },
    },
  }
}

/** As in `two-boxes-by-sku`. */
function keyOf(summary: string): string {
  return summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
