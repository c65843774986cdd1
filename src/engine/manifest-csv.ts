import type { Json } from '../contract/call.ts'
import type { ManifestSource } from '../contract/enums.ts'
import type { ResultOf } from '../contract/operations.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import type { AcceptedRow, CheckedRows } from '../domain/csv-row.ts'
import { unknownSku } from '../domain/csv-row-errors.ts'
import { type ManifestRow, manifestChecker, manifestColumns } from '../domain/manifest-csv.ts'
import { invalid } from '../domain/refusal.ts'
import { findKnownSkus } from '../store/products.ts'
import { giveWay } from './give-way.ts'
import { insertSubmission } from './manifest-submission.ts'
import type { Work } from './work.ts'

type Upload = { form: { reference: string; source?: ManifestSource | undefined }; file: Uint8Array }

/**
 * POST /manifests/csv (4.1): valid rows become one manifest, the others are answered as errors. Throws invalid where the
 * file is refused whole, or not one row is valid: a manifest without lines cannot exist (decisions 5).
 */
export async function submitManifestCsv(
  work: Work,
  { form, file }: Upload,
): Promise<Json<ResultOf<'submitManifestCsv'>>> {
  const checked = await checkFile(file)
  const { accepted, rejected } = await checkSkus(work, checked)
  const totals = {
    created: accepted.length,
    failed: rejected.length,
    submitted: accepted.length + rejected.length,
  }
  if (accepted.length === 0) {
    throw invalid({ file: ['has no valid row'] }, 'The file has no valid row.', { errors: rejected, totals })
  }
  const { manifest, lines } = await insertSubmission(work, {
    ...form,
    lines: accepted.map((row) => row.value),
  })
  return (
    `{"manifest":${manifest},"created":[${lines.join(',')}],` +
    `"errors":${JSON.stringify(rejected)},"totals":${JSON.stringify(totals)}}`
  )
}

/** The whole file is judged before anything is written: quotes and the number of rows show only at its end. */
async function checkFile(file: Uint8Array): Promise<CheckedRows<ManifestRow>> {
  const { readCsv } = await import('../domain/csv-file.ts')
  const { header, rows } = readCsv(file, manifestColumns)
  const check = manifestChecker(header)
  const checked: CheckedRows<ManifestRow> = { accepted: [], rejected: [] }
  for (const slice of rows) {
    const { accepted, rejected } = check(slice)
    checked.accepted.push(...accepted)
    checked.rejected.push(...rejected)
    await giveWay()
  }
  return checked
}

/** A product row must name a SKU of the partner's catalog (2.3, decisions 11). Errors are in the order of the file. */
async function checkSkus(work: Work, checked: CheckedRows<ManifestRow>): Promise<CheckedRows<ManifestRow>> {
  const skus = [...new Set(checked.accepted.flatMap((row) => row.value.sku ?? []))]
  const known = await findKnownSkus(work.tx, work.scope.id, skus)
  const accepted: Array<AcceptedRow<ManifestRow>> = []
  const rejected: CsvRowError[] = [...checked.rejected]
  for (const row of checked.accepted) {
    const { sku } = row.value
    if (sku === null || known.has(sku)) accepted.push(row)
    else rejected.push(unknownSku(row.row, sku))
  }
  return { accepted, rejected: rejected.sort((a, b) => a.row - b.row) }
}
