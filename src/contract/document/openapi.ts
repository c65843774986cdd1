import { once } from '../once.ts'
import type { Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { headerParameters, responseHeaders } from './headers.ts'
import { operationObject } from './operation-object.ts'
import { errorResponses } from './responses.ts'
import { componentSchemas } from './schemas.ts'
import { byTag, tagObjects } from './tags.ts'

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
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1', description: 'This service' }],
    security: [{ apiKey: [] }],
    tags: tagObjects(),
    paths: pathObjects(),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      parameters: headerParameters,
      headers: responseHeaders,
      responses: errorResponses(),
      schemas: componentSchemas(),
    },
  }
}

/** The document's bytes, as `GET /openapi.json` and `custody openapi` give them. */
export const openApiText = once(() => `${JSON.stringify(openApiDocument(), null, 2)}\n`)

function pathObjects(): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  const table = Object.entries(operations) as Array<[string, Operation]>
  for (const [id, operation] of table.toSorted(([, one], [, other]) => byTag(one, other))) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(id, operation),
    }
  }
  return paths
}
