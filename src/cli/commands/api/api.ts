import type { Command } from 'commander'
import type { Answer } from '../../../client/client.ts'
import { pagesOf } from '../../../client/pages.ts'
import { parsedJson } from '../../../contract/call.ts'
import type { Operation, Schema } from '../../../contract/operation.ts'
import { type OperationId, operation as operationOf, operations } from '../../../contract/operations.ts'
import { didYouMean, usage } from '../../base/cli-error.ts'
import { readInput, readJsonInput } from '../../base/input-file.ts'
import type { Io } from '../../base/io.ts'
import { schemaAt } from '../../base/schema-fields.ts'
import { jsonText } from '../../base/terminal-text.ts'
import type { LoneCommand, Session } from '../../command.ts'
import { collect, setAt } from '../../command-line/body-flags.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import type { JqOutlet } from '../../output/jq.ts'

type Options = IdempotentOptions & { field?: string[]; input?: string; paginate?: boolean; jq?: string }

export const command: LoneCommand<[string, string, Options]> = {
  details:
    'Prints the answer unchanged. custody adds the key and an Idempotency-Key and retries, as in every command. `custody openapi` lists all operations. A --field goes into the query, the body, or the form: as text if the field is text, otherwise as JSON. --input is a JSON body, or the CSV of an upload.',
  examples: [
    'api GET /items --field status=available --jq ".results[].qid"',
    'api POST /transfers/0198c5b2-6d5b-7cc1-a1b3-0f4d1a1c5d11/cancel',
    'api POST /manifests/csv --field reference=PO-7 --input po-7.csv',
    'api GET /events --paginate --jq ".results[] | .type"',
  ],
  define,
  isPlain: true,
  async run(session, method, path, options) {
    const found = findOperation(method.toUpperCase(), path)
    const isRead = operationOf(found.id).method === 'GET'
    if (options.paginate && !isRead) throw usage('--paginate is only for GET: other methods have no pages.')
    const request = await requestFrom(session.io, found, options)
    const jq = await jqOf(session, options.jq, isRead)
    const { client } = isRead ? await session.target() : await session.targetToWrite()
    const call = client[found.id] as (request: object) => Promise<Answer<object>>
    const ask = (query: Fields): Promise<Answer<object>> => call({ ...request, query })
    const answers = options.paginate ? pagesOf(ask, request.query) : [await ask(request.query)]
    for await (const { text } of answers) await print(session, text, jq)
  },
}

function define(api: Command): void {
  api.argument('<method>', 'GET, POST, PATCH, or DELETE')
  api.argument('<path>', 'Path below /v1, with a query if needed')
  api.option('--field <name=value>', 'One field; nested as in weight.unit=oz', collect)
  api.option('--input <file>', 'Read the body from a file; - for stdin')
  api.option('--paginate', 'Print the following pages too')
  api.option('--jq <program>', 'Filter the answer with a jq program')
  idempotent(api)
}

async function print({ io }: Session, text: string, jq: JqOutlet | undefined): Promise<void> {
  if (text === '') return
  if (jq === undefined)
    return io.out.write(`${io.out.isTerminal ? jsonText(JSON.parse(text), 2) : text}\n`, true)
  jq.out.write(`${text}\n`)
  await jq.flush()
}

async function jqOf(
  { io, notice }: Session,
  program: string | undefined,
  isRead: boolean,
): Promise<JqOutlet | undefined> {
  if (program === undefined) return undefined
  const { openJq } = await import('../../output/jq.ts')
  return openJq(program, io.out, { isWriting: () => !isRead, warn: notice })
}

type Fields = Record<string, unknown>
type Given = { field?: string[]; input?: string; idempotencyKey?: string }
type AnyRequest = {
  params: Record<string, string>
  query: Fields
  body?: Fields
  form?: Fields
  idempotencyKey?: string | undefined
}

/** Throws `usage` for anything that the operation does not accept. */
async function requestFrom(io: Io, { id, params, query }: Found, given: Given): Promise<AnyRequest> {
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

/** In the schema's type: a certificate of digits stays text, a quantity becomes a number. */
function typed(schema: Schema | undefined, text: string): unknown {
  const value = schema?.safeParse(text).success ? undefined : parsedJson(text)
  return value === undefined ? text : value
}

type Found = { id: OperationId; params: Record<string, string>; query: Record<string, string> }

const table = Object.entries(operations) as Array<[OperationId, Operation]>

/** `given` may begin with /v1 and end with a query. Throws `usage` naming similar operations. */
function findOperation(method: string, given: string): Found {
  // A value in the query may contain a question mark too.
  const [path = '', ...search] = given.split('?')
  const words = path.replace(/^\/?(?:v1\/)?/, '').split('/')
  const here = table
    .filter(([, { path }]) => paramsOf(path, words) !== undefined)
    // Prefers fewer parameters, because /items/summary is not an item.
    .sort(([, a], [, b]) => Object.keys(a.params ?? {}).length - Object.keys(b.params ?? {}).length)
  const found = here.find(([, operation]) => operation.method === method)
  if (found === undefined) throw unknown(method, path, here)
  const params = paramsOf(found[1].path, words) ?? {}
  return { id: found[0], params, query: fieldsOf(new URLSearchParams(search.join('?'))) }
}

function fieldsOf(given: Iterable<[string, string]>): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of given) {
    if (fields.has(name)) throw usage(`${name} is given twice.`, 'Give it once.')
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

/** Undefined if the words do not match the path. */
function paramsOf(template: string, words: readonly string[]): Record<string, string> | undefined {
  const parts = template.slice(1).split('/')
  if (parts.length !== words.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const word = words[at] ?? ''
    if (part.startsWith('{') && word !== '') params[part.slice(1, -1)] = decoded(word)
    else if (part !== word) return undefined
  }
  return params
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    throw usage(`"${word}" in the path is not valid URL encoding.`)
  }
}

function unknown(method: string, path: string, here: ReadonlyArray<[OperationId, Operation]>): Error {
  const see = 'See: custody openapi'
  if (here.length > 0) {
    const methods = here.map(([, operation]) => operation.method).join(', ')
    return usage(`${path} has no ${method}; it has ${methods}.`, see)
  }
  const paths = table.map(([, operation]) => operation.path)
  const hint = [didYouMean(path, paths, undefined), see].filter(Boolean).join(' ')
  return usage(`this version of custody does not know ${path}.`, hint)
}
