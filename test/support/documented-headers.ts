import type { Call, Transport } from '../../src/contract/call.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { type OperationId, operation as operationOf } from '../../src/contract/operations.ts'

type Parameter = { $ref?: string; in?: string; name?: string }
type Response = { $ref?: string; headers?: Record<string, unknown> }
type Described = { parameters: Parameter[]; responses: Record<string, Response> }
type Document = {
  paths: Record<string, Record<string, Described>>
  components: { parameters: Record<string, Parameter>; responses: Record<string, Response> }
}

/** Any request may have these: the key, and what HTTP itself defines. */
const general = ['x-api-key', 'accept-encoding', 'traceparent']
let document: Document | undefined

/** Throws if an operation reads or sends a header that the document does not name for it. */
export function withDocumentedHeaders(handle: Transport): Transport {
  return async (call) => {
    const { operation: id } = call
    if (id === undefined) return handle(call)
    const read = new Set<string>()
    const reply = await handle({ ...call, headers: noting(call.headers, read) })
    const { parameters, responses } = describedOf(id)
    const sent = new Set(Object.keys(reply.headers))
    for (const name of Object.keys(responses[reply.status]?.headers ?? {})) sent.delete(name.toLowerCase())
    sent.delete('content-type')
    for (const name of general) read.delete(name)
    for (const { name = '' } of parameters) read.delete(name.toLowerCase())
    const faults = [...[...sent].map((name) => `sends ${name}`), ...[...read].map((name) => `reads ${name}`)]
    if (faults.length === 0) return reply
    throw new Error(`${id} (${reply.status}) ${faults}: src/contract/document/headers.ts does not say so`)
  }
}

/** Notes the names that are read but were not sent. */
function noting(headers: Call['headers'], read: Set<string>): Call['headers'] {
  return new Proxy(headers, {
    get(sent, name: string) {
      if (!(name in sent)) read.add(name)
      return sent[name]
    },
  })
}

function describedOf(id: OperationId): Described {
  document ??= openApiDocument() as Document
  const { method, path } = operationOf(id)
  const { parameters = [], responses } = document.paths[path]![method.toLowerCase()]!
  const { components } = document
  const whole = <T extends { $ref?: string }>(part: T, parts: Record<string, T>): T =>
    parts[part.$ref?.split('/').at(-1) ?? ''] ?? part
  return {
    parameters: parameters.map((parameter) => whole(parameter, components.parameters)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, whole(response, components.responses)]),
    ),
  }
}
