import { nameMax, receivedUnitsMax, refMax } from '../../../contract/limits.ts'
import { cell, checkCode, optionalQuantity, optionalText } from '../../../domain/csv/csv-cells.ts'
import { readCsv } from '../../../domain/csv/csv-file.ts'
import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import { addFault, checkRows, columnIndexes, type RowCheck } from '../../../domain/csv/csv-row.ts'
import { arrivalFaults } from '../../../domain/items/arrival.ts'
import type { WarehouseArrival } from '../../../engine/intake/arrivals.ts'
import { CliError, type FieldProblems } from '../../base/cli-error.ts'

const names = [
  'sku',
  'grader',
  'grade',
  'cert_number',
  'name',
  'set',
  'card_number',
  'category',
  'condition_flags',
  'quantity',
] as const
type Indexes = Record<(typeof names)[number], number>

const intakeColumns: CsvColumns = { known: names, required: [] }

/** An arrival, and the row that brought it. */
export type RowArrival = { row: number; arrival: WarehouseArrival }

/**
 * The arrivals of a file: a row with a SKU is so many units of a product, any other row one slab. Throws the refusal of a file
 * that is wrong as a whole, and `invalid` that names every row at fault: nothing of such a file is taken in.
 */
export function readArrivals(bytes: Uint8Array, file: string): RowArrival[] {
  const { header, rows } = readCsv(bytes, intakeColumns)
  const at = columnIndexes(header, names)
  const { accepted, rejected } = checkRows(header.length, [...rows].flat(), (row) => readRow(row, at))
  if (rejected.length > 0) {
    const fields = Object.fromEntries(rejected.map(({ row, message }) => [`row ${row}`, [message]]))
    throw notTakenIn(file, rejected.length, fields)
  }
  const arrivals = accepted.flatMap(({ row, value }) =>
    Array.from({ length: value.quantity }, () => ({ row, arrival: value.arrival })),
  )
  if (arrivals.length <= receivedUnitsMax) return arrivals
  throw new CliError('invalid', `${file} brings more than ${receivedUnitsMax} units: split it.`)
}

/** A file is taken in whole or not at all: half of it could not be told from the rest. */
export function notTakenIn(file: string, count: number, fields: FieldProblems): CliError {
  const rows = count === 1 ? '1 row' : `${count} rows`
  return new CliError('invalid', `${rows} of ${file} cannot be taken in; nothing was.`, { fields })
}

function readRow(row: RowCheck, at: Indexes): { arrival: WarehouseArrival; quantity: number } {
  const sku = optionalText(row, 'sku', at.sku, refMax)
  const arrival: WarehouseArrival = {
    type: sku === null ? 'graded_slab' : 'product',
    condition_flags: flagsOf(cell(row, at.condition_flags)),
    ...given('sku', sku),
    ...given('name', optionalText(row, 'name', at.name, nameMax)),
    ...given('grader', optionalText(row, 'grader', at.grader, refMax)),
    ...given('grade', optionalText(row, 'grade', at.grade, refMax)),
    ...given('cert_number', optionalText(row, 'cert_number', at.cert_number, refMax)),
    ...given('set', optionalText(row, 'set', at.set, nameMax)),
    ...given('card_number', optionalText(row, 'card_number', at.card_number, refMax)),
    ...given('category', optionalText(row, 'category', at.category, refMax)),
  }
  checkCode(row, 'sku', sku)
  checkCode(row, 'cert_number', arrival.cert_number ?? null)
  for (const [field, messages] of Object.entries(arrivalFaults(arrival)))
    for (const message of messages) addFault(row, field, message)
  const quantity = optionalQuantity(row, at.quantity, receivedUnitsMax) ?? 1
  if (sku === null && quantity > 1) addFault(row, 'quantity', 'must be 1: a slab is one item')
  return { arrival, quantity }
}

function given<K extends string>(name: K, value: string | null): { [key in K]?: string } {
  return value === null ? {} : ({ [name]: value } as { [key in K]: string })
}

function flagsOf(text: string | null): string[] {
  return (text ?? '').split(/[;|]/).flatMap((flag) => flag.trim() || [])
}
