import * as z from 'zod/mini'
import { paging, sent } from './primitives.ts'

type Shape<F extends Filters> = { [Name in keyof F]: ReturnType<F[Name]['schema']> }

export function filter<S extends Schema>(
  schema: () => S,
  words: string,
  example: string,
): Filter<z.ZodMiniOptional<S>> {
  return { schema: () => z.optional(schema()), words: `Only ${words}`, example }
}

export function paged<F extends Filters, O extends Filters = Record<never, never>>(filters: F, order?: O) {
  return {
    method: 'GET' as const,
    filters,
    ...(order && { order }),
    query: sent(() => ({ ...paging(), ...shapeOf(filters), ...shapeOf(order ?? ({} as O)) })),
    paged: true as const,
  }
}

export function shapeOf<F extends Filters>(filters: F): Shape<F> {
  return Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema()])) as Shape<F>
}

/** Without the wrappers that make a value optional or nullable, or give it a default. */
export function innermost(schema: Schema): Schema {
  const { innerType } = schema._zod.def as { innerType?: Schema }
  return innerType ? innermost(innerType) : schema
}

export type Schema = z.ZodMiniType
export type ObjectSchema = z.ZodMiniObject

/** A malformed `uuid` is a 400 that names it; a malformed `opaque` is a 404 like an unknown one (decisions 3). */
type ParamKind = 'uuid' | 'opaque'

export type Filter<S extends Schema = Schema> = {
  schema: () => S
  words: string
  example: string
  /** The example only shows the form, so no tool may send it as a value. */
  isForm?: true
}
export type Filters = Readonly<Record<string, Filter>>

/** Schemas are made on first use, so that start-up pays only for what runs. */
export type Row = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Each `{name}` is a UUID, unless `opaque`. */
  path: string
  opaque?: true
  query?: () => ObjectSchema
  /** `query`, flags, document and conditions follow from these (`paged`). */
  filters?: Filters
  order?: Filters
  body?: () => ObjectSchema
  form?: () => ObjectSchema
  creates?: true
  /** 409 if the state does not allow it. */
  conflicts?: true
  /** The body names items, so one that is unknown is a 404. */
  namesItems?: true
  response?: () => Schema
  /** In the envelope of 2.13. */
  paged?: true
  /** Lists in the response are paged: `page` and `page_size`, and a `Link` header if there is a next page. */
  linked?: true
  extension?: true
  open?: true
  /** 404 in production (part 5, rule 5). */
  sandboxOnly?: true
  /** Decisions 13. */
  repeats?: true
  /** `Prefer: wait` (decisions 9). Its pages have a `Link` header too. */
  waits?: true
  /** The response names the partner and their terms in `Custody-Partner`. */
  namesPartner?: true
  /** The response contains a secret and is never compressed, since its length would reveal something. */
  showsSecret?: true
  summary: string
}

export type Operation = Row & Whole
type Whole = {
  params?: Readonly<Record<string, ParamKind>>
  success: 200 | 201 | 204
  errors: readonly number[]
}

export function wholeTable<Rows extends Record<string, Row>>(rows: Rows) {
  const whole = Object.entries(rows).map(([id, row]) => [id, { ...row, ...wholeOf(row) }])
  return Object.fromEntries(whole) as { [Id in keyof Rows]: Rows[Id] & Whole }
}

function wholeOf({ method, path, query, body, form, ...row }: Row): Whole {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const kind = row.opaque ? 'opaque' : 'uuid'
  const isReadable = query || body || form || (names.length > 0 && kind === 'uuid')
  const errors = [
    isReadable && 400,
    401,
    (names.length > 0 || row.sandboxOnly || row.namesItems) && 404,
    row.conflicts && 409,
    429,
  ].filter((status) => typeof status === 'number')
  return {
    ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name, kind])) }),
    success: row.creates ? 201 : method === 'DELETE' ? 204 : 200,
    errors: row.open ? [] : errors,
  }
}
