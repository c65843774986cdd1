import { JsonText } from '../../contract/call.ts'
import type { ManifestSource } from '../../contract/enums.ts'
import type { AcceptedRow } from '../../domain/csv/csv-row.ts'
import { unknownSku, withFault } from '../../domain/csv/csv-row-errors.ts'
import { type ManifestRow, manifestChecker, manifestColumns } from '../../domain/manifests/manifest-csv.ts'
import { type FieldErrors, invalid, type Refusal } from '../../domain/refusal.ts'
import type { UnitOfWork } from '../context.ts'
import {
  type CheckedFile,
  checkUpload,
  errorList,
  type RenderedError,
  rendered,
  type Upload,
  uploadTotals,
} from '../csv-upload.ts'
import { catalogSkusOf } from '../items/products.ts'
import { joinInTurns, yieldToEventLoop } from '../yield-to-event-loop.ts'
import { insertSubmission } from './manifest-submission.ts'

type Form = { reference: string; source?: ManifestSource | undefined }

/**
 * POST /manifests/csv (4.1): valid rows become one manifest, the others are answered as errors. It is made as one, so there is
 * one place. Throws the refusal of a bad file; then invalid where not one row is valid: a manifest without lines cannot exist
 * (decisions 5).
 */
export async function openManifestCsv(file: Uint8Array, form: Form): Promise<Upload> {
  const checked = await checkUpload(file, manifestColumns, manifestChecker, namesSku)
  return {
    end: 1,
    async take(work, _, part) {
      const { accepted, errors } = await checkSkus(work, checked)
      if (accepted.length === 0) throw await noValidRow(errors)
      const sent = { ...form, lines: accepted.map((row) => row.value) }
      const { manifest, lines } = await insertSubmission(work, sent)
      part.created = [manifest, ...lines]
      part.errors = errors
      return 1
    },
    async answer(parts) {
      const { created, errors } = parts[0]!
      const [manifest, ...lines] = created
      const totals = uploadTotals(lines.length, errors.length)
      return `{"manifest":${manifest},"created":[${await joinInTurns(lines)}],"errors":${await errorList(errors)},"totals":${totals}}`
    },
  }
}

async function noValidRow(errors: RenderedError[]): Promise<Refusal> {
  const totals = uploadTotals(0, errors.length)
  const extra = { errors: new JsonText(await errorList(errors)), totals: new JsonText(totals) }
  return invalid({ file: ['has no valid row'] }, 'The file has no valid row.', extra)
}

function namesSku({ sku }: ManifestRow, faults: FieldErrors): boolean {
  return sku !== null && faults.sku === undefined
}

/** A product row must name a SKU of the partner's catalog (2.3, decisions 11), whatever else is wrong with it. */
async function checkSkus(
  work: UnitOfWork,
  { accepted, faulty, errors: found }: CheckedFile<ManifestRow>,
): Promise<Pick<CheckedFile<ManifestRow>, 'accepted' | 'errors'>> {
  const known = await catalogSkusOf(
    work,
    [...accepted, ...faulty].flatMap((row) => row.value.sku ?? []),
  )
  const unknown = ({ row, value: { sku } }: AcceptedRow<ManifestRow>) =>
    sku === null || known.has(sku) ? undefined : unknownSku(row, sku)
  const errors = [...found]
  const right: AcceptedRow<ManifestRow>[] = []
  for (const row of accepted) {
    const error = unknown(row)
    if (error === undefined) right.push(row)
    else errors.push(rendered(error))
    await yieldToEventLoop()
  }
  for (const row of faulty) {
    const error = unknown(row)
    errors.push(rendered(error === undefined ? row.error : withFault(row.error, error)))
    await yieldToEventLoop()
  }
  return { accepted: right, errors }
}
