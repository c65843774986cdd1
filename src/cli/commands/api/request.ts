import type { Schema } from '../../../contract/operation.ts'
import { operation as operationOf } from '../../../contract/operations.ts'
import { usage } from '../../base/cli-error.ts'
import { readInput, readJsonInput } from '../../base/input-file.ts'
import type { Io } from '../../base/io.ts'
import { schemaAt } from '../../base/schema-fields.ts'
import { setAt } from '../../command-line/body-flags.ts'
import { type Found, fieldsOf } from './find-operation.ts'

export type Fields = Record<string, unknown>
type Given = { field?: string[]; input?: string; idempotencyKey?: string }
type AnyRequest = {
  params: Record<string, string>
  query: Fields
  body?: Fields
  form?: Fields
  idempotencyKey?: string | undefined
}

/** What is sent to an operation. Throws `usage` for what it does not take. */
export async function requestFrom(io: Io, { id, params, query }: Found, given: Given): Promise<AnyRequest> {
  const { body, form, method, path } = operationOf(id)
  const fields = Object.entries(fieldsOf((given.field ?? []).map(fieldFrom)))
  const { idempotencyKey } = given
  if (form) {
    if (given.input === undefined) throw usage(`${method} ${path} takes a CSV file: name it with --input.`)
    const file = await readInput(io, given.input)
    return { params, query, form: { ...Object.fromEntries(fields), file }, idempotencyKey }
  }
  if (body) {
    const sent = given.input === undefined ? {} : await readJsonInput(io, given.input)
    for (const [name, text] of fields) setAt(sent, name, typed(schemaAt(body(), name), text))
    return { params, query, body: sent, idempotencyKey }
  }
  if (given.input !== undefined) throw usage(`${method} ${path} takes no --input.`)
  if (method !== 'GET' && fields.length > 0) throw usage(`${method} ${path} takes no --field.`)
  return { params, query: fieldsOf([...Object.entries(query), ...fields]), idempotencyKey }
}

function fieldFrom(given: string): [string, string] {
  const at = given.indexOf('=')
  if (at < 1) throw usage(`--field ${given}: give it as name=value.`)
  return [given.slice(0, at), given.slice(at + 1)]
}

/** The value in its schema's type: a certificate of digits stays text, a quantity becomes a number. */
function typed(schema: Schema | undefined, text: string): unknown {
  if (schema?.safeParse(text).success) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
