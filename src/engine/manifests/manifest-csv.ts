import { JsonText } from '../../contract/call.ts'
import type { Repeats } from '../../contract/enums.ts'
import type { FormOf } from '../../contract/operations.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { type AcceptedRow, unknownSku, withFault } from '../../domain/csv/csv-row.ts'
import { type ManifestRow, manifestChecker, manifestColumns } from '../../domain/manifests/manifest-csv.ts'
import { assert, type FieldErrors, invalid, type Rejection } from '../../domain/rejection.ts'
import type { RenderedError, SteppedWrite, UnitOfWork } from '../context.ts'
import {
  type CheckedFile,
  checkUpload,
  errorList,
  inFileOrder,
  rendered,
  uploadTotals,
} from '../csv-upload.ts'
import { type CatalogLookup, catalogSkusOf } from '../items/products.ts'
import { Repeated } from '../repeats.ts'
import { joinInTurns } from '../yield-to-event-loop.ts'
import { contentOf, repeatedManifest } from './manifest-content.ts'
import { addLines, linesAtOnce } from './manifest-submission.ts'

type Row = AcceptedRow<ManifestRow> & { error?: CsvRowError }

/** POST /manifests/csv (4.1). Throws on a bad file, and `invalid` without a valid row: a manifest needs a line (decisions 5). */
export async function openManifestCsv(
  file: Uint8Array,
  head: FormOf<'submitManifestCsv'>,
  catalog: CatalogLookup,
  repeats: Repeats,
): Promise<SteppedWrite> {
  const checked = await checkUpload(file, manifestColumns, manifestChecker, namesSku)
  const rows = inFileOrder(checked)
  const known = await requireValidRow(checked, rows, catalog)
  const sent = repeats === 'skip' ? await sentLines(rows, catalog) : undefined
  return {
    end: rows.length,
    async take(work, place, part) {
      const some = rows.slice(place, place + linesAtOnce)
      const next = place + some.length
      if (sent && (place === 0 || next === rows.length))
        await rejectRepeated(work, head.reference, sent, checked)
      const others = skusOf(some).filter((sku) => !known.has(sku))
      for (const sku of await catalogSkusOf(work, others)) known.add(sku)
      const right = judge(some, known, part.errors)
      const { manifest, lines } = await addLines(work, part, right, next === rows.length ? head : undefined)
      part.created.push(...lines)
      if (manifest) part.created.push(manifest)
      return next
    },
    async answer(parts) {
      const lines = parts.flatMap(({ created }) => created)
      const manifest = lines.pop()
      assert(manifest !== undefined, 'an upload ends with its manifest', head.reference)
      const errors = [...checked.errors, ...parts.flatMap((part) => part.errors)]
      const totals = uploadTotals(lines.length, errors.length, sent && 0)
      return [
        `{"manifest":${manifest},"created":[`,
        ...(await joinInTurns(lines)),
        '],"errors":[',
        ...(await errorList(errors)),
        `],"totals":${totals}}`,
      ]
    },
  }
}

type SentLines = { lines: ManifestRow[]; errors: RenderedError[]; content: string }

async function sentLines(rows: readonly Row[], catalog: CatalogLookup): Promise<SentLines> {
  const errors: RenderedError[] = []
  const lines = judge(rows, await catalog(skusOf(rows)), errors)
  return { lines, errors, content: await contentOf(lines) }
}

/** Throws `Repeated` with the manifest of the same lines, or a conflict if the reference has others. */
async function rejectRepeated(
  work: UnitOfWork,
  reference: string,
  { lines, errors: found, content }: SentLines,
  checked: CheckedFile<ManifestRow>,
): Promise<void> {
  const manifest = await repeatedManifest(work, reference, content)
  if (!manifest) return
  const errors = [...checked.errors, ...found]
  const totals = uploadTotals(0, errors.length, lines.length)
  throw new Repeated([
    `{"manifest":${manifest},"created":[],"errors":[`,
    ...(await errorList(errors)),
    `],"totals":${totals}}`,
  ])
}

/** Returns the SKUs that it has found. They never leave the catalog, so a row that is valid now stays valid. */
async function requireValidRow(
  { accepted, errors }: CheckedFile<ManifestRow>,
  rows: readonly Row[],
  catalog: CatalogLookup,
): Promise<Set<string>> {
  if (accepted.some(({ value }) => value.sku === null)) return new Set()
  const known = new Set(await catalog(skusOf(rows)))
  if (accepted.some(({ value }) => known.has(value.sku as string))) return known
  const all = [...errors]
  judge(rows, known, all)
  throw await noValidRow(all)
}

async function noValidRow(errors: RenderedError[]): Promise<Rejection> {
  const totals = uploadTotals(0, errors.length)
  const extra = {
    errors: new JsonText(`[${(await errorList(errors)).join('')}]`),
    totals: new JsonText(totals),
  }
  return invalid({ file: ['has no valid row'] }, 'The file has no valid row.', extra)
}

function namesSku({ sku }: ManifestRow, faults: FieldErrors): boolean {
  return sku !== null && faults.sku === undefined
}

function skusOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ value }) => value.sku ?? [])
}

/** A product row must name a SKU of the catalog (2.3, decisions 11), even if it has other faults. */
function judge(rows: readonly Row[], known: ReadonlySet<string>, errors: RenderedError[]): ManifestRow[] {
  const right: ManifestRow[] = []
  for (const { row, value, error } of rows) {
    const { sku } = value
    const unknown = sku === null || known.has(sku) ? undefined : unknownSku(row, sku)
    if (error) errors.push(rendered(unknown ? withFault(error, unknown) : error))
    else if (unknown) errors.push(rendered(unknown))
    else right.push(value)
  }
  return right
}
