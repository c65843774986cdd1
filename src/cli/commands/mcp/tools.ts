import { toJSONSchema } from 'zod/v4/core'
import type { ObjectSchema, Operation } from '../../../contract/operation.ts'
import { type OperationId, operations } from '../../../contract/operations.ts'

type JsonObject = { type: 'object'; properties: Record<string, object>; required: string[] }

/** An operation as a tool of the Model Context Protocol. */
type Tool = {
  name: OperationId
  description: string
  inputSchema: JsonObject & { additionalProperties: false }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: false }
}

/** The tools of the operations table: those that only read, or all; without the interface's own document. */
export function toolsFor({ writes }: { writes: boolean }): Tool[] {
  return (Object.entries(operations) as Array<[OperationId, Operation]>)
    .filter(([, operation]) => !operation.open && (writes || isRead(operation)))
    .map(([name, operation]) => toolOf(name, operation))
}

export function isRead({ method }: Operation): boolean {
  return method === 'GET'
}

/** Path, query, body and form parameters are in one object: no name is in two of them. */
function toolOf(name: OperationId, operation: Operation): Tool {
  const parts = [
    pathSchema(operation),
    ...fieldSchemas(operation),
    csvSchema(operation),
    keySchema(operation),
  ]
  return {
    name,
    description: operation.sandboxOnly ? `${operation.summary} (in a sandbox)` : operation.summary,
    inputSchema: {
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required }) => required),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: isRead(operation),
      destructiveHint: !isRead(operation),
      openWorldHint: false,
    },
  }
}

function fieldSchemas({ query, body, form }: Operation): JsonObject[] {
  return [query, body, form].filter((schema) => schema !== undefined).map((schema) => jsonSchemaOf(schema()))
}

/** The schema of what is sent: a field with a default may be left out. */
function jsonSchemaOf(schema: ObjectSchema): JsonObject {
  const { properties = {}, required = [] } = toJSONSchema(schema, { io: 'input' }) as Partial<JsonObject>
  return { type: 'object', properties, required }
}

function pathSchema({ params = {} }: Operation): JsonObject {
  const names = Object.keys(params)
  return objectOf(Object.fromEntries(names.map((name) => [name, { type: 'string' }])), names)
}

function csvSchema({ form }: Operation): JsonObject {
  if (!form) return objectOf({}, [])
  return objectOf({ file: { type: 'string', description: 'The CSV file as text, its header line first' } }, [
    'file',
  ])
}

function keySchema({ method }: Operation): JsonObject {
  if (method !== 'POST') return objectOf({}, [])
  const description =
    'Of your making, or left out. The same key and arguments again change nothing more and answer the same: give it ' +
    'where an earlier call may have been carried out.'
  return objectOf({ idempotency_key: { type: 'string', description } }, [])
}

function objectOf(properties: Record<string, object>, required: string[]): JsonObject {
  return { type: 'object', properties, required }
}
