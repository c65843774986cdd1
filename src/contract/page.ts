import * as z from 'zod/mini'
import { oncePer } from './once.ts'
import { count } from './primitives.ts'

/** Once per result, so that equal results share one schema. */
export const pageOf = oncePer(
  (result: z.ZodMiniType): z.ZodMiniObject =>
    z.object({
      page_size: z.int(),
      count: count(),
      total: count(),
      current_page_number: z.int(),
      next_page_number: z.nullable(z.int()),
      next: z.nullable(z.url()),
      previous: z.nullable(z.url()),
      previous_page_number: z.nullable(z.int()),
      results: z.array(result),
    }),
)
