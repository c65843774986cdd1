import { nameMax, receivedUnitsMax, refMax } from '../../../contract/limits.ts'
import { cell, optionalQuantity, optionalText } from '../../../domain/csv/csv-cells.ts'
import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import {
  addFault,
  checkRows,
  columnIndexes,
  type RowCheck,
  type RowChecker,
} from '../../../domain/csv/csv-row.ts'
import { withGradeApart } from '../../../domain/graders/graders.ts'
import { arrivalFaults } from '../../../domain/items/arrival.ts'
import type { WarehouseArrival } from '../../../engine/intake/arrivals.ts'
import { CliError } from '../../base/cli-error.ts'
import { sha256 } from '../../base/crypto.ts'
import type { Session } from '../../command.ts'
import type { FileKind } from '../../imports/formats/file-kind.ts'
import { errorColumns, located } from '../../imports/formats/file-kind.ts'
import type { FormatOptions } from '../../imports/formats/format-flags.ts'
import { showWarnings } from '../../imports/import-report.ts'
import { readWholeFile } from '../../manifests/manifest-rows.ts'
import type { Arrivals } from './intake-faults.ts'

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

const arrivalsFile: FileKind<Read> = {
  name: 'arrivals',
  columns: intakeColumns,
  checker,
  codes: ['sku', 'grader', 'cert_number'],
  marks: errorColumns,
}

type Read = { arrival: WarehouseArrival; quantity: number }

/** `content`: hash of the arrivals in a fixed order, so that sorting or saving the file in another form changes nothing. */
type FileArrivals = Arrivals & { content: string }

/** A row with a SKU stands for units of a product, any other row for one slab. */
export async function readArrivals(
  session: Session,
  file: { name: string; bytes: Buffer },
  options: FormatOptions & { lint?: boolean },
): Promise<FileArrivals> {
  const { bad, accepted, readable, warnings, places } = await readWholeFile<Read>(
    session,
    arrivalsFile,
    file,
    options,
  )
  await showWarnings(
    session,
    warnings.map((lint) => located(lint, places)),
  )
  const units = accepted.flatMap((read) => Array.from({ length: read.value.quantity }, () => read))
  if (units.length > receivedUnitsMax)
    throw new CliError('invalid', `${file.name} has more than ${receivedUnitsMax} units: split it.`)
  // The quantity of a faulty row may be wrong, so its units are not counted.
  const arrivals = [...units, ...readable]
    .sort((a, b) => a.row - b.row)
    .map(({ row, value }) => ({ row: places.of(row).row, arrival: value.arrival }))
  const faults = bad.map((error) => {
    const { row, message } = located(error, places)
    return { row, message: message.replace(/\.$/, '') }
  })
  const content = sha256(JSON.stringify(arrivals.map(({ arrival }) => JSON.stringify(arrival)).sort()))
  return { arrivals, faults, content }
}

function checker(header: readonly string[]): RowChecker<Read> {
  const at = columnIndexes(header, names)
  return (rows) => checkRows(header.length, rows, (row) => readRow(row, at))
}

function readRow(row: RowCheck, at: Indexes): Read {
  const sku = optionalText(row, 'sku', at.sku, refMax)
  const arrival: WarehouseArrival = {
    type: sku === null ? 'graded_slab' : 'product',
    condition_flags: flagsOf(cell(row, at.condition_flags)),
    ...given('sku', sku),
    ...given('name', optionalText(row, 'name', at.name, nameMax)),
    ...withGradeApart({
      ...given('grader', optionalText(row, 'grader', at.grader, refMax)),
      ...given('grade', optionalText(row, 'grade', at.grade, refMax)),
    }),
    ...given('cert_number', optionalText(row, 'cert_number', at.cert_number, refMax)),
    ...given('set', optionalText(row, 'set', at.set, nameMax)),
    ...given('card_number', optionalText(row, 'card_number', at.card_number, refMax)),
    ...given('category', optionalText(row, 'category', at.category, refMax)),
  }
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
