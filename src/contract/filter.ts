import * as z from 'zod/mini'
import type { Filter, Filters, Schema } from './operation.ts'
import { paging, sent } from './primitives.ts'

type Shape<F extends Filters> = { [Name in keyof F]: ReturnType<F[Name]['schema']> }

/** An optional parameter that narrows a list to `words`. */
export function filter<S extends Schema>(
  schema: () => S,
  words: string,
  example: string,
): Filter<z.ZodMiniOptional<S>> {
  return { schema: () => z.optional(schema()), words: `Only ${words}`, example }
}

/** What a page-number list has in its row: its filters, and the query that follows from them. */
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
