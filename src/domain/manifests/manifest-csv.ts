import { nameMax, quantityMax, refMax } from '../../contract/limits.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { checkCode, optionalQuantity, optionalText, requiredText } from '../csv/csv-cells.ts'
import { type CsvColumns, quoted } from '../csv/csv-header.ts'
import { addFault, type RowCheck, type RowChecker, rowChecker } from '../csv/csv-row.ts'
import { graderNamed, slabKey } from '../graders/certificate.ts'

export type ManifestRow = Omit<ManifestLine, 'id' | 'status' | 'matched_qids'>

const names = ['external_ref', 'description', 'sku', 'grader', 'cert_number', 'quantity'] as const
type Row = RowCheck<(typeof names)[number]>

export const manifestColumns: CsvColumns = { known: names, required: ['description'] }

/** Rules that need no database (4.1, decisions 5): a slab has grader, certificate and quantity 1, and occurs once. */
export function manifestChecker(header: readonly string[]): RowChecker<ManifestRow> {
  const rowOfSlab = new Map<string, number>()
  return rowChecker(header, (row) => readLine(row, rowOfSlab))
}

function readLine(row: Row, rowOfSlab: Map<string, number>): ManifestRow {
  const quantity = optionalQuantity(row, quantityMax)
  const line = {
    external_ref: optionalText(row, 'external_ref', refMax),
    description: requiredText(row, 'description', nameMax),
    sku: optionalText(row, 'sku', refMax),
    grader: optionalText(row, 'grader', refMax),
    cert_number: optionalText(row, 'cert_number', refMax),
    quantity: quantity ?? 1,
  }
  checkCode(row, 'sku', line.sku)
  checkCode(row, 'cert_number', line.cert_number)
  checkForm(row, line)
  checkRepeat(row, line, rowOfSlab)
  return line
}

/** `sku` alone is a product, `grader` and `cert_number` together a slab, neither a description (decisions 5). */
function checkForm(row: RowCheck, { sku, grader, cert_number, quantity }: ManifestRow): void {
  if (grader === null && cert_number === null) return
  if (sku !== null) {
    addFault(
      row,
      'sku',
      'cannot be combined with grader and cert_number: a row is a product or a slab, not both',
    )
    if (grader !== null) addFault(row, 'grader', 'cannot be combined with sku')
    if (cert_number !== null) addFault(row, 'cert_number', 'cannot be combined with sku')
    return
  }
  if (grader === null) addFault(row, 'grader', `is required with cert_number${graderNamed(cert_number)}`)
  if (cert_number === null) addFault(row, 'cert_number', 'is required with grader')
  if (quantity > 1)
    addFault(row, 'quantity', `must be 1 for a slab: one certificate is one item, not ${quantity}`)
}

/** Compared as in matching (decisions 6). The earlier row counts even if it is rejected: one slab is one row. */
function checkRepeat(row: RowCheck, line: ManifestRow, rowOfSlab: Map<string, number>): void {
  if (line.grader === null || line.cert_number === null) return
  const slab = slabKey(line) ?? ''
  const earlier = rowOfSlab.get(slab)
  if (earlier === undefined) rowOfSlab.set(slab, row.row)
  else
    addFault(row, 'cert_number', `${quoted(line.cert_number)} of ${line.grader} is already in row ${earlier}`)
}
