import type { Call, CallBody } from '../../contract/call.ts'
import { type Repeats, repeatsWords } from '../../contract/enums.ts'
import type { ObjectSchema, Operation, Schema } from '../../contract/operation.ts'
import { type FieldErrors, invalid, notFound } from '../../domain/refusal.ts'
import { isStorable, unstorable } from '../../domain/storable-text.ts'
import { isUuid } from '../../domain/uuid.ts'
import {
  addFault,
  addFound,
  addIssues,
  type Faults,
  givenTwice,
  noFaults,
  notKnown,
  wrongType,
} from './faults.ts'
import { parseJson } from './json-body.ts'
import { parseFields, report } from './parse-fields.ts'

/** A request after parsing, before it gets the types of its operation. */
export type Parsed = {
  params: Record<string, string>
  query: unknown
  body: unknown
  /** `Custody-Repeats` (decisions 13). */
  repeats: Repeats
}

/** The same with what an upload has beside. */
export type ParsedForm = Parsed & { form: unknown; file: Uint8Array }

/** Checks the rest of a body that has faulty fields, so that one answer names every fault (decisions 12). */
export type LookUp = (input: { params: Record<string, string>; body: unknown }) => Promise<FieldErrors>

const noFile = new Uint8Array()

/**
 * Params, query and body as the operation declares them. Throws one refusal that names every fault in the query,
 * and one for the body: unknown names are refused, because a mistyped filter must not list everything (decisions 3).
 */
export async function parseRequest(
  operation: Operation,
  call: Call,
  body: CallBody,
  lookUp?: LookUp,
): Promise<ParsedForm> {
  const params = parseParams(operation, call)
  const query = parseQuery(operation, call)
  const repeats = operation.repeats ? repeatsOf(call) : 'allow'
  if (operation.form) return { params, query, repeats, body: undefined, ...parseForm(operation.form(), body) }
  return {
    params,
    query,
    repeats,
    body: await parseBody(operation, body, (left) => lookUp?.({ params, body: left })),
    form: undefined,
    file: noFile,
  }
}

function repeatsOf({ headers }: Call): Repeats {
  const sent = headers['custody-repeats'] ?? 'allow'
  const word = repeatsWords.find((each) => each === sent)
  if (word) return word
  const fault =
    typeof sent === 'string' ? `must be ${repeatsWords.join(' or ')}` : 'was sent twice; send it once'
  throw invalid({ 'Custody-Repeats': [fault] })
}

function parseParams(operation: Operation, call: Call): Record<string, string> {
  const params: Record<string, string> = {}
  const faults = noFaults()
  for (const [name, kind] of Object.entries(operation.params ?? {})) {
    const value = call.params[name] ?? ''
    params[name] = kind === 'uuid' ? value.toLowerCase() : value
    if (kind === 'opaque' && !isStorable(value)) throw notFound()
    if (kind === 'uuid' && !isUuid(value)) addFault(faults, name, 'must be a UUID')
  }
  refuseFaulty(faults)
  return params
}

function parseQuery(operation: Operation, call: Call): unknown {
  const schema = operation.query?.()
  const shape = (schema?._zod.def.shape ?? {}) as Record<string, Schema>
  const faults = noFaults()
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, text] of call.query) {
    const isNumber = Object.hasOwn(shape, name) && innermost(shape[name]!)._zod.def.type === 'number'
    if (name in values) addFault(faults, name, givenTwice)
    else if (text === '') addFault(faults, name, 'must not be empty; leave it out or give it a value')
    else if (!isStorable(text)) addFault(faults, name, unstorable)
    else if (isNumber && !/^\d+$/.test(text))
      addFault(faults, name, 'must be a whole number, in decimal digits')
    values[name] = isNumber ? Math.min(Number(text), Number.MAX_VALUE) : text
  }
  const parsed = schema?.safeParse({ ...values }, report)
  if (!schema) for (const name of Object.keys(values)) addFault(faults, name, notKnown)
  if (parsed && !parsed.success) addIssues(faults, parsed.error.issues, Object.keys(shape))
  refuseFaulty(faults)
  return parsed?.data
}

function innermost(schema: Schema): Schema {
  const def = schema._zod.def as { innerType?: Schema }
  return def.innerType ? innermost(def.innerType) : schema
}

function refuseFaulty({ fields }: Faults): void {
  if (Object.keys(fields).length > 0) throw invalid(fields)
}

async function parseBody(
  operation: Operation,
  body: CallBody,
  lookUp: (left: unknown) => Promise<FieldErrors> | undefined,
): Promise<unknown> {
  const schema = operation.body?.()
  if (body.kind === 'form') throw wrongType(false)
  const faults = noFaults()
  const value = body.kind === 'empty' ? {} : await parseJson(body.text, faults)
  if (!schema) {
    if (isEmptyObject(value)) return undefined
    throw invalid({ body: ['must be empty: this operation takes none'] })
  }
  const parsed = await parseFields(schema, value, faults)
  if (parsed === undefined && body.kind === 'empty') {
    throw invalid({ body: ['is required: send a JSON object'] })
  }
  if (Object.keys(faults.fields).length > 0 && faults.left > 0) addFound(faults, (await lookUp(value)) ?? {})
  refuseFaulty(faults)
  return parsed
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  )
}

function parseForm(schema: ObjectSchema, body: CallBody): { form: unknown; file: Uint8Array } {
  if (body.kind !== 'form') throw wrongType(true)
  const faults = noFaults()
  const values: Record<string, string> = Object.create(null)
  for (const [name, text] of body.fields) {
    if (name in values) addFault(faults, name, givenTwice)
    else if (!isStorable(text)) addFault(faults, name, unstorable)
    values[name] = text
  }
  const files = body.files.filter((file) => file.name === 'file')
  for (const file of body.files) if (file.name !== 'file') addFault(faults, file.name, notKnown)
  if (files.length !== 1) addFault(faults, 'file', files.length === 0 ? 'is required' : givenTwice)
  const parsed = schema.safeParse({ ...values }, report)
  if (!parsed.success) addIssues(faults, parsed.error.issues, Object.keys(schema._zod.def.shape))
  refuseFaulty(faults)
  return { form: parsed.data, file: files[0]?.bytes ?? noFile }
}
