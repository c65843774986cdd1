import * as z from 'zod/mini'
import { count } from './primitives.ts'

const pages = new WeakMap<z.ZodMiniType, z.ZodMiniObject>()

/** Cached, so that equal results share one schema. */
export function pageOf(result: z.ZodMiniType): z.ZodMiniObject {
  const page = pages.get(result) ?? newPage(result)
  pages.set(result, page)
  return page
}

function newPage(result: z.ZodMiniType): z.ZodMiniObject {
  return z.object({
    page_size: z.int(),
    count: count(),
    total: count(),
    current_page_number: z.int(),
    next_page_number: z.nullable(z.int()),
    next: z.nullable(z.url()),
    previous: z.nullable(z.url()),
    previous_page_number: z.nullable(z.int()),
    results: z.array(result),
  })
}
