import type { ErrorObject, ValidateFunction } from 'ajv'
import { parsedJson, type Reply } from '../contract/call.ts'
import { type OperationId, operation as operationOf } from '../contract/operations.ts'

export type OpenApi = {
  openapi: string
  paths: Record<string, Record<string, DocumentedOperation | undefined> | undefined>
  components: { schemas: Record<string, object>; responses?: Record<string, DocumentedResponse> }
}

type DocumentedResponse = { $ref?: string; content?: Record<string, { schema: object }> }

type DocumentedOperation = {
  'x-extension'?: boolean
  parameters?: Array<{ name: string; in: string; required?: boolean }>
  responses: Record<string, DocumentedResponse | undefined>
}

/** The error of a reply according to the service's document; undefined if it has none. */
export type ResponseRule = (id: OperationId | undefined, reply: Reply) => string | undefined

/** Checks required keys, types, formats and that the status is documented. */
export async function responseRule(document: OpenApi): Promise<ResponseRule> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const { default: formats } = await import('ajv-formats')
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, unicodeRegExp: true })
  formats.default(ajv)
  // Keywords of OpenAPI that validate nothing.
  ajv.addVocabulary(['discriminator', 'x-extensible-enum'])
  ajv.addSchema({ $id: 'document', $defs: relocated(document.components.schemas) })
  const rules = new Map<string, ValidateFunction>()
  const ruleOf = (name: string, schema: object): ValidateFunction => {
    const rule = rules.get(name) ?? ajv.compile(relocated(schema))
    rules.set(name, rule)
    return rule
  }
  return (id, reply) => {
    const documented = id && responseOf(document, id, reply.status)
    if (id && !documented) return `${id} answered ${reply.status}, which its document does not list`
    if (reply.status === 204) return reply.body === '' ? undefined : `${id} answered 204 with a body`
    const schema = documented?.content?.['application/json']?.schema ?? document.components.schemas.Error
    if (schema === undefined) return `the document has no schema for ${reply.status} of ${id}`
    return bodyFault(ruleOf(`${documented ? id : ''} ${reply.status}`, schema), id, reply)
  }
}

export function documentedOperation(document: OpenApi, id: OperationId): DocumentedOperation | undefined {
  const { method, path } = operationOf(id)
  return document.paths[path]?.[method.toLowerCase()]
}

function responseOf(document: OpenApi, id: OperationId, status: number): DocumentedResponse | undefined {
  const response = documentedOperation(document, id)?.responses[status]
  const name = response?.$ref?.split('/').at(-1)
  return name === undefined ? response : document.components.responses?.[name]
}

function relocated<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'document#/$defs/'))
}

function bodyFault(rule: ValidateFunction, id: string | undefined, reply: Reply): string | undefined {
  const what = `${id ?? 'an unknown path'} answered ${reply.status}`
  if (!/^application\/json\b/.test(reply.headers['content-type'] ?? '')) {
    return `${what} as ${reply.headers['content-type'] ?? 'nothing named'}, not application/json`
  }
  const body = parsedJson(reply.body)
  if (body === undefined) return `${what} with a body that is not JSON`
  if (rule(body)) return undefined
  return `${what} against its schema: ${(rule.errors ?? []).slice(0, 3).map(faultText).join('; ')}`
}

function faultText({ instancePath, message, params }: ErrorObject): string {
  const detail = 'allowedValue' in params ? ` (${JSON.stringify(params.allowedValue)})` : ''
  return `${instancePath || 'the body'} ${message ?? 'is wrong'}${detail}`
}
