import { type Json, JsonText } from '../../contract/call.ts'
import type { ManifestSource } from '../../contract/enums.ts'
import type { ResultOf } from '../../contract/operations.ts'
import { unknownSku } from '../../domain/csv/csv-row-errors.ts'
import { type ManifestRow, manifestChecker, manifestColumns } from '../../domain/manifests/manifest-csv.ts'
import { invalid } from '../../domain/refusal.ts'
import type { UnitOfWork } from '../context.ts'
import {
  type CheckedSlice,
  checkUpload,
  checkWhole,
  errorList,
  rendered,
  uploadTotals,
} from '../csv-upload.ts'
import { catalogSkusOf } from '../items/products.ts'
import { joinInTurns, yieldToEventLoop } from '../yield-to-event-loop.ts'
import { insertSubmission } from './manifest-submission.ts'

type Upload = { form: { reference: string; source?: ManifestSource | undefined }; file: Uint8Array }

/**
 * POST /manifests/csv (4.1): valid rows become one manifest, the others are answered as errors. Throws invalid where the
 * file is refused whole, or not one row is valid: a manifest without lines cannot exist (decisions 5).
 */
export async function submitManifestCsv(
  work: UnitOfWork,
  { form, file }: Upload,
): Promise<Json<ResultOf<'submitManifestCsv'>>> {
  const checked = await checkWhole(checkUpload(file, manifestColumns, manifestChecker))
  const { accepted, errors } = await checkSkus(work, checked)
  const totals = uploadTotals(accepted.length, errors.length)
  if (accepted.length === 0) {
    const extra = { errors: new JsonText(await errorList(errors)), totals: new JsonText(totals) }
    throw invalid({ file: ['has no valid row'] }, 'The file has no valid row.', extra)
  }
  const { manifest, lines } = await insertSubmission(work, {
    ...form,
    lines: accepted.map((row) => row.value),
  })
  return `{"manifest":${manifest},"created":[${await joinInTurns(lines)}],"errors":${await errorList(errors)},"totals":${totals}}`
}

/** A product row must name a SKU of the partner's catalog (2.3, decisions 11). */
async function checkSkus(
  work: UnitOfWork,
  checked: CheckedSlice<ManifestRow>,
): Promise<CheckedSlice<ManifestRow>> {
  const known = await catalogSkusOf(
    work,
    checked.accepted.flatMap((row) => row.value.sku ?? []),
  )
  const found: CheckedSlice<ManifestRow> = { accepted: [], errors: checked.errors }
  for (const row of checked.accepted) {
    const { sku } = row.value
    if (sku === null || known.has(sku)) found.accepted.push(row)
    else found.errors.push(rendered(unknownSku(row.row, sku)))
    await yieldToEventLoop()
  }
  return found
}
