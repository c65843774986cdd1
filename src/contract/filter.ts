import * as z from 'zod/mini'
import type { Filter, Filters, Schema } from './operation.ts'
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
