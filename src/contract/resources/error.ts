import * as z from 'zod/mini'
import { once } from '../once.ts'
import { answered, count, dateTime, sent, uuid } from '../primitives.ts'
import { errorCode, repeatedBy } from '../vocabulary.ts'

const details = once(() => ({ message: z.string(), extra: z.record(z.string(), z.unknown()) }))

/** 2.12 */
export const errorBody = answered(() => ({ code: errorCode(), ...details() }))
/** Outside the v1 vocabulary, as 500 is outside the contract (decisions 3). */
export const internalError = answered(() => ({ code: z.literal('internal_error'), ...details() }))
export type ErrorBody = z.infer<ReturnType<typeof errorBody | typeof internalError>>

export const csvRowError = answered(() => ({
  code: errorCode(),
  fields: z.record(z.string(), z.array(z.string())),
  message: z.string(),
  row: z.int().check(z.gte(1)),
}))
export type CsvRowError = z.infer<ReturnType<typeof csvRowError>>

/** `repeated` is present under `Custody-Repeats: skip` only. */
export const csvBatchTotals = answered(() => ({
  created: count(),
  failed: count(),
  repeated: z.optional(count()),
  submitted: count(),
}))
export type CsvBatchTotals = z.infer<ReturnType<typeof csvBatchTotals>>

/** A row that an earlier request carried out (decisions 13). `status`: the order's current one; null for a product. */
export const csvRepeatedRow = answered(() => ({
  row: z.int().check(z.gte(1)),
  id: uuid(),
  status: z.nullable(z.string()),
  created_at: dateTime(),
  by: repeatedBy(),
}))
export type CsvRepeatedRow = z.infer<ReturnType<typeof csvRepeatedRow>>

export const csvForm = sent(() => ({}))

/** Products and fulfillments (4.2, 4.4). */
export function csvResult<T extends z.ZodMiniType>(created: T) {
  return z.object({
    created: z.array(created),
    errors: z.array(csvRowError()),
    repeated: z.optional(z.array(csvRepeatedRow())),
    totals: csvBatchTotals(),
  })
}
