import type * as z from 'zod/mini'
import { type Call, type CallBody, parsedJson } from '../../contract/call.ts'
import { type Repeats, repeatsWords } from '../../contract/enums.ts'
import { type JsonScan, jsonLimits, pathText, scanJson } from '../../contract/json-scan.ts'
import { innermost, type ObjectSchema, type Operation, type Schema } from '../../contract/operation.ts'
import { type FieldErrors, invalid, notFound, Rejection } from '../../domain/rejection.ts'
import { isStorable, unstorable } from '../../domain/storable-text.ts'
import { isUuid } from '../../domain/uuid.ts'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import {
  addFault,
  addFound,
  addIssues,
  type Faults,
  givenTwice,
  noFaults,
  notKnown,
  takeOut,
  wrongType,
} from './faults.ts'

export type Parsed = {
  params: Record<string, string>
  query: unknown
  body: unknown
  repeats: Repeats
}

export type ParsedForm = Parsed & { form: unknown; file: Uint8Array }

/** Checks what is left of a request that has faults, so that one response names every error (decisions 12). Returns its `extra`. */
export type Lookup = (left: ParsedForm) => Promise<{ fields: FieldErrors; [more: string]: unknown }>

export async function faultsOf(check: Promise<unknown>): ReturnType<Lookup> {
  try {
    await check
    return { fields: {} }
  } catch (thrown) {
    if (thrown instanceof Rejection) return thrown.extra as Awaited<ReturnType<Lookup>>
    throw thrown
  }
}

type Sent = Pick<ParsedForm, 'body' | 'form' | 'file'>

const nothing: Sent = { body: undefined, form: undefined, file: new Uint8Array() }

/** Throws one `invalid` with all faults. Unknown names are errors: a mistyped filter must not list everything (decisions 3). */
export async function parseRequest(
  operation: Operation,
  call: Call,
  body: CallBody,
  lookUp?: Lookup,
): Promise<ParsedForm> {
  const faults = noFaults()
  const params = parseParams(operation, call, faults)
  const find = Object.keys(faults.fields).length === 0 ? lookUp : undefined
  const query = parseQuery(operation, call, faults)
  const repeats = operation.repeats ? repeatsOf(call, faults) : 'allow'
  const sent = operation.form
    ? parseForm(operation.form(), body, faults)
    : await parseBody(operation, body, faults)
  if (sent && Object.keys(faults.fields).length === 0)
    return { params, query, repeats, ...nothing, ...sent.valid }
  const left: ParsedForm = { params, query, repeats: 'allow', ...nothing, ...sent?.left }
  const found = sent && faults.left > 0 ? await find?.(left) : undefined
  const { fields, ...more } = found ?? { fields: {} }
  addFound(faults, fields)
  throw invalid(faults.fields, undefined, more)
}

function repeatsOf({ headers }: Call, faults: Faults): Repeats {
  const sent = headers['custody-repeats'] ?? 'allow'
  const word = repeatsWords.find((each) => each === sent)
  if (word) return word
  const fault =
    typeof sent === 'string' ? `must be ${repeatsWords.join(' or ')}` : 'was sent twice; send it once'
  addFault(faults, 'Custody-Repeats', fault)
  return 'allow'
}

function parseParams(operation: Operation, call: Call, faults: Faults): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, kind] of Object.entries(operation.params ?? {})) {
    const value = call.params[name] ?? ''
    params[name] = kind === 'uuid' ? value.toLowerCase() : value
    if (kind === 'opaque' && !isStorable(value)) throw notFound()
    if (kind === 'uuid' && !isUuid(value)) addFault(faults, name, 'must be a UUID')
  }
  return params
}

function parseQuery(operation: Operation, call: Call, faults: Faults): unknown {
  const schema = operation.query?.()
  const shape = (schema?._zod.def.shape ?? {}) as Record<string, Schema>
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
  return parsed?.data
}

type Checked = { valid: Partial<Sent>; left: Partial<Sent> }

async function parseBody(operation: Operation, body: CallBody, faults: Faults): Promise<Checked | undefined> {
  const schema = operation.body?.()
  if (body.kind === 'form') throw wrongType(false)
  const left = body.kind === 'empty' ? {} : await parseJson(body.text, faults)
  if (left === undefined) return undefined
  if (!schema) {
    if (Object.keys(left).length > 0) addFault(faults, 'body', 'must be empty: this operation takes no body')
    return { valid: {}, left: {} }
  }
  if (body.kind === 'empty' && !schema.safeParse(left).success)
    return addFault(faults, 'body', 'is required: send a JSON object')
  return { valid: { body: await parseFields(schema, left, faults) }, left: { body: left } }
}

function parseForm(schema: ObjectSchema, body: CallBody, faults: Faults): Checked {
  if (body.kind !== 'form') throw wrongType(true)
  const values: Record<string, string> = Object.create(null)
  for (const [name, text] of body.fields) {
    if (name in values) addFault(faults, name, givenTwice)
    else if (!isStorable(text)) addFault(faults, name, unstorable)
    values[name] = text
  }
  const files = body.files.filter((file) => file.name === 'file')
  const known = Object.keys(schema._zod.def.shape)
  for (const { name } of body.files)
    if (name !== 'file') addFault(faults, name, known.includes(name) ? 'must be text, not a file' : notKnown)
  if (files.length !== 1) addFault(faults, 'file', files.length === 0 ? 'is required' : givenTwice)
  const parsed = schema.safeParse({ ...values }, report)
  if (!parsed.success) addIssues(faults, parsed.error.issues, known)
  const file = files[0]?.bytes ?? nothing.file
  return { valid: { form: parsed.data, file }, left: { file } }
}

/** Issues carry the input: a missing value gets another message than a wrong one. */
const report = { reportInput: true }
/** Entries of a list checked per turn of the event loop. */
const pieceLength = 250

type List = { name: string; entries: readonly unknown[] }

/**
 * Returns undefined if there are errors; `value` then lacks the invalid fields. A long list is checked in pieces, yielding in
 * between: a schema would check a hundred thousand entries in one turn, however many are invalid.
 */
async function parseFields(schema: ObjectSchema, value: unknown, faults: Faults): Promise<unknown> {
  const known = Object.keys(schema._zod.def.shape)
  const list = longList(schema, value)
  if (!list) return parsePiece(schema, value, value, faults, known, 0)
  const found: unknown[] = []
  let whole: object = {}
  for (let from = 0; from < list.entries.length && faults.left > 0; from += pieceLength) {
    await yieldToEventLoop()
    const piece = { ...(value as object), [list.name]: list.entries.slice(from, from + pieceLength) }
    const parsed = parsePiece(schema, value, piece, faults, known, from) as
      | Record<string, unknown[]>
      | undefined
    if (!parsed) continue
    whole = parsed
    for (const entry of parsed[list.name] ?? []) found.push(entry)
  }
  return Object.keys(faults.fields).length > 0 ? undefined : { ...whole, [list.name]: found }
}

/** A list over its maximum length is left to the schema, which rejects it at once. */
function longList(schema: ObjectSchema, value: unknown): List | undefined {
  for (const [name, field] of Object.entries(schema._zod.def.shape)) {
    const entries = (value as Record<string, unknown>)[name]
    if (!Array.isArray(entries) || entries.length <= pieceLength) continue
    if (entries.length <= lengthMax(field)) return { name, entries }
  }
  return undefined
}

/** 0 if it is not a list or has no maximum. */
function lengthMax({ _zod }: z.core.$ZodType): number {
  const { type, checks = [] } = _zod.def
  const max = checks.find((check) => check._zod.def.check === 'max_length')
  return type === 'array' && max ? (max._zod.def as z.core.$ZodCheckMaxLengthDef).maximum : 0
}

function parsePiece(
  schema: ObjectSchema,
  whole: unknown,
  piece: unknown,
  faults: Faults,
  known: readonly string[],
  from: number,
): unknown {
  const parsed = schema.safeParse(piece, report)
  if (parsed.success) return parsed.data
  const issues = from === 0 ? parsed.error.issues : parsed.error.issues.map((issue) => movedBy(from, issue))
  addIssues(faults, issues, known)
  for (const { code, path } of issues) if (code !== 'unrecognized_keys') takeOut(whole, path)
  return undefined
}

function movedBy(from: number, issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const [name, index, ...rest] = issue.path
  if (name === undefined || typeof index !== 'number') return issue
  return { ...issue, path: [name, index + from, ...rest] }
}

/** Scanning more characters than this takes noticeable time. */
const longText = 1024 * 1024
/** The bytes were read as UTF-8, so U+0000 and lone surrogates can only be escapes. */
const hidden = /__proto__|\\u/

/** Returns undefined if nothing in the body can be checked. Yields while it scans a long text. */
async function parseJson(text: string, faults: Faults): Promise<object | undefined> {
  const { excess, repeated } = await scanInTurns(text)
  if (excess) return addFault(faults, 'body', excess)
  if (text.length > longText) await yieldToEventLoop()
  const value = parsedJson(text)
  if (value === undefined) return addFault(faults, 'body', 'is not valid JSON')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return addFault(faults, 'body', 'must be a JSON object')
  if (text.length > longText) await yieldToEventLoop()
  for (const path of repeated) addFault(faults, pathText(path), givenTwice)
  if (hidden.test(text)) addHidden(faults, value, value, [])
  return value
}

async function scanInTurns(text: string): Promise<JsonScan> {
  const scan = scanJson(text, jsonLimits)
  for (;;) {
    const { done, value } = scan.next()
    if (done) return value
    await yieldToEventLoop()
  }
}

function addHidden(faults: Faults, root: object, value: unknown, path: readonly PropertyKey[]): void {
  if (faults.left === 0) return
  if (typeof value === 'string' && !isStorable(value)) {
    addFault(faults, pathText(path), unstorable)
    takeOut(root, path)
  }
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid({ body: ['must not use the name __proto__'] })
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [name, inner] of entries) addHidden(faults, root, inner, [...path, name])
}
