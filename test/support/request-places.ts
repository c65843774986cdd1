import type { CallBody } from '../../src/contract/call.ts'
import type { Schema } from '../../src/contract/operation.ts'
import { type OperationId, operation } from '../../src/contract/operations.ts'

/** A place for text in a request: a path parameter, a query parameter, a header, a field of the body or of the form. */
export type Place = { in: 'path' | 'query' | 'header' | 'body' | 'form' | 'file'; name: string }
export type Filled = ReadonlyArray<{ place: Place; value: unknown }>

type Def = {
  type: string
  innerType?: Schema
  element?: Schema
  shape?: Record<string, Schema>
  entries?: Record<string, string>
  format?: string
  options?: Schema[]
}

/** Every such place of an operation, from the operations table, so that later fields are included. */
export function placesOf(id: OperationId): Place[] {
  const { params = {}, query, body, form, method } = operation(id)
  const names = (place: Place['in'], all: readonly string[]): Place[] =>
    all.map((name) => ({ in: place, name }))
  return [
    ...names('path', Object.keys(params)),
    ...names('query', [...(query ? Object.keys(defOf(query()).shape ?? {}) : []), 'unheard_of']),
    ...names('header', ['x-request-id', 'prefer', ...(method === 'POST' ? ['idempotency-key'] : [])]),
    ...names('body', body ? ['unheard_of', ...leaves(body(), '')] : []),
    ...names('form', form ? ['unheard_of', ...Object.keys(defOf(form()).shape ?? {})] : []),
    ...(form ? names('file', ['file']) : []),
  ]
}

/** A request with every field, each of the right shape, except those given otherwise. */
export function requestWith(id: OperationId, filled: Filled) {
  const of = (kind: Place['in']) => filled.filter(({ place }) => place.in === kind)
  const texts = (kind: Place['in']) =>
    of(kind).map(({ place, value }): [string, string] => [place.name, String(value)])
  const { params = {} } = operation(id)
  return {
    operation: id,
    params: {
      ...Object.fromEntries(Object.keys(params).map((name) => [name, sampleUuid])),
      ...Object.fromEntries(texts('path')),
    },
    query: texts('query'),
    headers: Object.fromEntries(texts('header')),
    body: async () => bodyWith(id, filled),
  }
}

const sampleUuid = '019aa000-0000-7000-8000-000000000000'

function bodyWith(id: OperationId, filled: Filled): CallBody {
  const { body, form } = operation(id)
  const into = (sample: unknown, kind: Place['in']): unknown =>
    filled
      .filter(({ place }) => place.in === kind)
      .reduce((made, { place, value }) => put(made, place.name, value), sample)
  if (body) return { kind: 'json', text: JSON.stringify(into(sampleOf(body()), 'body')) }
  if (!form) return { kind: 'empty' }
  const fields = Object.entries(into(sampleOf(form()), 'form') as Record<string, unknown>)
  const file = filled.find(({ place }) => place.in === 'file')?.value ?? 'description\nx\n'
  return {
    kind: 'form',
    fields: fields.map(([name, value]) => [name, String(value)]),
    files: [{ name: 'file', bytes: Buffer.from(String(file)) }],
  }
}

/** The paths of everything that is neither an object nor a list. */
function leaves(schema: Schema, path: string): string[] {
  const { shape, element, type } = defOf(schema)
  if (type === 'object')
    return Object.entries(shape ?? {}).flatMap(([name, field]) =>
      leaves(field, path ? `${path}.${name}` : name),
    )
  return type === 'array' && element ? leaves(element, `${path}[0]`) : [path]
}

function sampleOf(schema: Schema): unknown {
  const { type, shape, element, entries, format } = defOf(schema)
  if (type === 'object')
    return Object.fromEntries(Object.entries(shape ?? {}).map(([name, field]) => [name, sampleOf(field)]))
  if (type === 'array' && element) return [sampleOf(element)]
  if (type === 'enum') return Object.values(entries ?? {})[0]
  if (type === 'number') return 1
  if (type === 'boolean') return true
  return samples[format ?? ''] ?? 'https://hooks.partner.example/x'
}

const samples: Record<string, string> = {
  uuid: sampleUuid,
  date: '2026-06-01',
  datetime: '2026-06-01T00:00:00Z',
}

/** Without `optional`, `nullable`, and `default` around it. */
function defOf(schema: Schema): Def {
  const def = schema._zod.def as Def
  return def.innerType ? defOf(def.innerType) : def
}

function put(into: unknown, path: string, value: unknown): unknown {
  const [, name = '', rest = ''] = /^\[?([^.[\]]+)\]?\.?(.*)$/s.exec(path) ?? []
  const copy = (Array.isArray(into) ? [...into] : { ...(into as object) }) as Record<string, unknown>
  copy[name] = rest === '' ? value : put(copy[name] ?? {}, rest, value)
  return copy
}
