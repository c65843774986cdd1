import * as z from 'zod/mini'
import { manifestLinesMax, nameMax, quantityMax, refMax } from '../limits.ts'
import { once } from '../once.ts'
import { answered, count, date, dateTime, externalRef, qid, sent, sku, text, uuid } from '../primitives.ts'
import { lineStatus, manifestSource, manifestStatus, matchKey } from '../vocabulary.ts'
import { csvBatchTotals, csvRowError } from './error.ts'
import { item } from './item.ts'

/** 2.1; `source` is absent if it was not given (decisions 2). */
export const manifest = answered(() => ({
  id: uuid(),
  reference: z.string(),
  source: z.optional(manifestSource()),
  status: manifestStatus(),
  expected_arrival_start: z.nullable(date()),
  expected_arrival_end: z.nullable(date()),
  line_count: z.int(),
  created_at: dateTime(),
}))
export type Manifest = z.infer<ReturnType<typeof manifest>>

/** 2.2 */
export const manifestLine = answered(() => ({
  id: uuid(),
  external_ref: z.nullable(z.string()),
  description: z.string(),
  grader: z.nullable(z.string()),
  cert_number: z.nullable(z.string()),
  quantity: z.int(),
  status: lineStatus(),
  matched_qids: z.array(qid()),
  sku: z.nullable(z.string()),
}))
export type ManifestLine = z.infer<ReturnType<typeof manifestLine>>

export const expectedLine = once(() =>
  z.extend(manifestLine(), {
    manifest_id: uuid(),
    reference: z.string(),
    expected_arrival_end: z.nullable(date()),
  }),
)
export type ExpectedLine = z.infer<ReturnType<typeof expectedLine>>

export const slabs = answered(() => ({ items: z.array(item()), lines: z.array(expectedLine()) }))
export type Slabs = z.infer<ReturnType<typeof slabs>>

/** 2.3 */
export const manifestLineCreate = sent(() => ({
  external_ref: z.optional(z.nullable(externalRef())),
  description: text(nameMax),
  grader: z.optional(z.nullable(text(refMax))),
  cert_number: z.optional(z.nullable(text(refMax))),
  quantity: z._default(z.int().check(z.gte(1), z.lte(quantityMax)), 1),
  sku: z.optional(z.nullable(sku())),
}))
export type ManifestLineCreate = z.infer<ReturnType<typeof manifestLineCreate>>

export const manifestCreate = sent(() => ({
  reference: text(refMax),
  source: z.optional(manifestSource()),
  expected_arrival_start: z.optional(z.nullable(date())),
  expected_arrival_end: z.optional(z.nullable(date())),
  lines: z.array(manifestLineCreate()).check(z.minLength(1), z.maxLength(manifestLinesMax)),
}))
export type ManifestCreate = z.infer<ReturnType<typeof manifestCreate>>

export const manifestForm = sent(() => ({
  reference: text(refMax),
  source: z.optional(manifestSource()),
}))

export const manifestCsvResult = answered(() => ({
  manifest: manifest(),
  created: z.array(manifestLine()),
  errors: z.array(csvRowError()),
  totals: csvBatchTotals(),
}))

export const manifestWithLines = once(() => z.extend(manifest(), { lines: z.array(manifestLine()) }))
export type ManifestWithLines = z.infer<ReturnType<typeof manifestWithLines>>

export const reconciliationTotals = answered(() => ({
  expected: count(),
  matched: count(),
  missing: count(),
  unexpected: count(),
  condition_mismatch: count(),
}))
export type ReconciliationTotals = z.infer<ReturnType<typeof reconciliationTotals>>

/** Part 6. */
export const reconciliation = answered(() => ({
  manifest_id: uuid(),
  generated_at: dateTime(),
  totals: reconciliationTotals(),
}))
export type Reconciliation = z.infer<ReturnType<typeof reconciliation>>

export const reportLine = once(() =>
  z.extend(manifestLine(), {
    received_quantity: count(),
    difference: z.int(),
    condition_flags: z.array(z.string()),
    match_key: z.nullable(matchKey()),
    match_score: z.nullable(z.number()),
  }),
)
export type ReportLine = z.infer<ReturnType<typeof reportLine>>

export const unexpectedItem = answered(() => ({
  qid: qid(),
  name: z.string(),
  sku: z.string(),
  cert_number: z.nullable(z.string()),
  intake_at: dateTime(),
  condition_flags: z.array(z.string()),
}))
export type UnexpectedItem = z.infer<ReturnType<typeof unexpectedItem>>

/** Decisions 10; `generated_at` is null while the report is provisional. */
export const manifestReport = answered(() => ({
  manifest_id: uuid(),
  reference: z.string(),
  status: manifestStatus(),
  generated_at: z.nullable(dateTime()),
  totals: reconciliationTotals(),
  lines: z.array(reportLine()),
  unexpected: z.array(unexpectedItem()),
}))
export type ManifestReport = z.infer<ReturnType<typeof manifestReport>>
