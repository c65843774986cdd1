import type { Operation } from '../operation.ts'
import { headerParametersOf } from './headers.ts'
import { responsesOf } from './responses.ts'
import { type Schema, schemaOf } from './schemas.ts'
import { tagOf } from './tags.ts'

/** One operation as the document describes it. */
export function operationObject(id: string, operation: Operation): Schema {
  return {
    operationId: id,
    summary: operation.summary,
    tags: [tagOf(operation)],
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
  return [...parameters, ...headerParametersOf(operation)]
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
