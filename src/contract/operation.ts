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
    success: 200 as const,
    paged: true as const,
  }
}

export function shapeOf<F extends Filters>(filters: F): Shape<F> {
  return Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema()])) as Shape<F>
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
export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  params?: Readonly<Record<string, ParamKind>>
  query?: () => ObjectSchema
  /** `query`, flags, document and conditions follow from these (`paged`). */
  filters?: Filters
  order?: Filters
  body?: () => ObjectSchema
  form?: () => ObjectSchema
  success: 200 | 201 | 204
  response?: () => Schema
  /** In the envelope of 2.13. */
  paged?: true
  /** Lists in the response are paged: `page` and `page_size`, and a `Link` header if there is a next page. */
  linked?: true
  errors: readonly number[]
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
