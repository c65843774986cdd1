import { once } from '../once.ts'
import type { Operation } from '../operation.ts'
import { type OperationId, operations } from '../operations.ts'
import { uploadSchemas } from './csv-uploads.ts'
import { headerParameters, responseHeaders } from './headers.ts'
import { operationObject } from './operation-object.ts'
import { errorResponses } from './responses.ts'
import { componentSchemas } from './schemas.ts'
import { byTag, tagObjects } from './tags.ts'
import { webhookObjects, webhookParameters } from './webhooks.ts'

/** The OpenAPI 3.1 document of the whole interface, made from the operations table. */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Custody, Manifest and Fulfillment Service',
      version: '1.0.0',
      description:
        'Warehouse custody for partner accounts: manifests, catalog, items, fulfillments, transfers, stock and signed events. ' +
        'Operations marked `x-extension` go beyond the first published interface.',
      contact: { name: 'Whoever runs this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1', description: 'This service, a sandbox or production', 'x-internal': false }],
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

/** The document's bytes, as `GET /openapi.json` and `custody openapi` give them. */
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
