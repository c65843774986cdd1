import type * as z from 'zod/mini'

export type Schema = z.ZodMiniType
export type ObjectSchema = z.ZodMiniObject

/**
 * `uuid`: a malformed one is a 400 that names it. `opaque`: whatever is not ours is a 404, malformed or not
 * (decisions 3: operations that list no 400 for their path parameter).
 */
type ParamKind = 'uuid' | 'opaque'

/** A query parameter of a list. `words` describe it in the document and in the help of its flag. */
export type Filter<S extends Schema = Schema> = {
  schema: () => S
  words: string
  example: string
  /** The example shows the form alone: only a value of the caller's own is accepted, so that no tool may send it for one. */
  isForm?: true
}
export type Filters = Readonly<Record<string, Filter>>

/** One line of the operations table. Schemas are made on first use: start-up pays only for what runs. */
export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  params?: Readonly<Record<string, ParamKind>>
  query?: () => ObjectSchema
  /** A list's filters, and what orders it: `query`, its flags, the document and the conditions follow from them (filter.ts). */
  filters?: Filters
  order?: Filters
  body?: () => ObjectSchema
  /** The text fields of a multipart form; the file is always the field `file`. */
  form?: () => ObjectSchema
  success: 200 | 201 | 204
  response?: () => Schema
  /** A page-number list: the response is the envelope of 2.13 around `response`. */
  paged?: true
  /** The lists in the response come in pages: `page` and `page_size`, and a `Link` header where there is a next one. */
  linked?: true
  errors: readonly number[]
  extension?: true
  /** Answers without a key. */
  open?: true
  /** 404 in production (part 5, rule 5). */
  sandboxOnly?: true
  /** Takes the header `Custody-Repeats` (decisions 13). */
  repeats?: true
  /** May be held open until there is something to answer (`Prefer: wait`, decisions 9). */
  waits?: true
  /** Its answer names the partner and their terms in `Custody-Partner`. */
  namesPartner?: true
  /** A read that changes by time, or by what writes nothing in its scope: what its answer goes by is the answer itself. */
  changesByItself?: true
  /** The answer holds a secret: it is never compressed, since its length would tell of it. */
  showsSecret?: true
  summary: string
}
