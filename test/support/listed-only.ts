import { type OperationId, operations } from '../../src/contract/operations.ts'
import type { Service } from '../../src/service/service.ts'

/**
 * A service with the operations of part 4 and no extension. `tells`: with an OpenAPI document that says so; without one, its
 * 404 cannot be told from that of a missing resource.
 */
export function listedOnly(service: Service, { tells }: { tells: boolean }): Service {
  const notFound = JSON.stringify({ code: 'not_found', message: 'No such resource.', extra: {} })
  return {
    ...service,
    async handle(call) {
      const { operation } = call
      if (tells && operation === 'getOpenApi') return { status: 200, headers: {}, body: documentOfListed() }
      if (operation !== undefined && isExtension(operation))
        return { status: 404, headers: {}, body: notFound }
      return service.handle(call)
    },
  }
}

function isExtension(id: OperationId): boolean {
  return 'extension' in operations[id]
}

function documentOfListed(): string {
  const paths: Record<string, Record<string, object>> = {}
  for (const id of Object.keys(operations) as OperationId[]) {
    const { method, path } = operations[id]
    if (isExtension(id)) continue
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {}
  }
  return JSON.stringify({ openapi: '3.1.0', paths })
}
