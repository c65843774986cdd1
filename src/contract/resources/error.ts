import * as z from 'zod/mini'
import { errorCodes } from '../enums.ts'
import { once } from '../once.ts'
import { count } from '../primitives.ts'

/** 2.12 */
export const errorBody = once(() =>
  z.object({
    code: z.enum([...errorCodes, 'internal_error']),
    message: z.string(),
    extra: z.record(z.string(), z.unknown()),
  }),
)
export type ErrorBody = z.infer<ReturnType<typeof errorBody>>

export const csvRowError = once(() =>
  z.object({
    code: z.enum(errorCodes),
    fields: z.record(z.string(), z.array(z.string())),
    message: z.string(),
    row: z.int().check(z.gte(1)),
  }),
)
export type CsvRowError = z.infer<ReturnType<typeof csvRowError>>

export const csvBatchTotals = once(() => z.object({ created: count(), failed: count(), submitted: count() }))
export type CsvBatchTotals = z.infer<ReturnType<typeof csvBatchTotals>>

/** The answer of a CSV upload whose rows stand alone: products and fulfillments (4.2, 4.4). */
export function csvResult<T extends z.ZodMiniType>(created: T) {
  return z.object({ created: z.array(created), errors: z.array(csvRowError()), totals: csvBatchTotals() })
}
