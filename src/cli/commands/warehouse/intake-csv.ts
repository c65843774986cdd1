import { nameMax, receivedUnitsMax, refMax } from '../../../contract/limits.ts'
import { cell, checkCode, optionalQuantity, optionalText } from '../../../domain/csv/csv-cells.ts'
import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import {
  addFault,
  checkRows,
  columnIndexes,
  type RowCheck,
  type RowChecker,
} from '../../../domain/csv/csv-row.ts'
import { arrivalFaults } from '../../../domain/items/arrival.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import type { WarehouseArrival } from '../../../engine/intake/arrivals.ts'
import { type HeldSlab, heldSlabs } from '../../../engine/intake/held-slabs.ts'
import { CliError, type FieldProblems } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { sha256 } from '../../base/crypto.ts'
import type { Session } from '../../command.ts'
import type { FileKind } from '../../imports/formats/file-kind.ts'
import { errorColumns, located } from '../../imports/formats/file-kind.ts'
import type { FormatOptions } from '../../imports/formats/format-flags.ts'
import { showWarnings } from '../../imports/import-report.ts'
import { readWholeFile } from '../../manifests/manifest-rows.ts'

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

const arrivalsFile: FileKind = {
  name: 'arrivals',
  columns: intakeColumns,
  checker,
  codes: ['sku', 'grader', 'cert_number'],
  marks: errorColumns,
}

type Read = { arrival: WarehouseArrival; quantity: number }

export type RowArrival = { row: number; arrival: WarehouseArrival }

/** `content`: hash of the arrivals and of the rows' cells, so that saving the file in another encoding changes nothing. */
type FileArrivals = { arrivals: RowArrival[]; content: string }

/** A row with a SKU is units of a product, any other one slab. Throws `invalid` naming every faulty row, if any. */
export async function readArrivals(
  session: Session,
  file: { name: string; bytes: Buffer },
  options: FormatOptions & { lint?: boolean },
): Promise<FileArrivals> {
  const {
    header,
    good,
    bad,
    warnings,
    places,
    original = header.map((_, at) => ({ at })),
  } = await readWholeFile(session, arrivalsFile, file, options)
  if (bad.length > 0) {
    const inFile = bad.map((error) => located(error, places))
    const fields = Object.fromEntries(inFile.map(({ row, message }) => [`row ${row}`, [message]]))
    throw rejectedFile(file.name, bad.length, fields)
  }
  await showWarnings(
    session,
    warnings.map((lint) => located(lint, places)),
  )
  const accepted = checker(header)(good).accepted.map(({ row, value }) => ({
    row: places.of(row).row,
    value,
  }))
  const arrivals = accepted.flatMap(({ row, value }) =>
    Array.from({ length: value.quantity }, () => ({ row, arrival: value.arrival })),
  )
  if (arrivals.length > receivedUnitsMax)
    throw new CliError('invalid', `${file.name} has more than ${receivedUnitsMax} units: split it.`)
  const cells = good.map(({ values }) => original.map(({ at }) => values[at]?.trim() ?? ''))
  return { arrivals, content: sha256(JSON.stringify([cells, arrivals.map(({ arrival }) => arrival)])) }
}

function checker(header: readonly string[]): RowChecker<Read> {
  const at = columnIndexes(header, names)
  return (rows) => checkRows(header.length, rows, (row) => readRow(row, at))
}

/** All rows are received or none, because after half a file the operator could not tell which half. */
export function rejectedFile(file: string, count: number, fields: FieldProblems): CliError {
  return new CliError(
    'invalid',
    `${counted(count, 'row')} of ${file} cannot be received; nothing was received.`,
    {
      fields,
    },
  )
}

function readRow(row: RowCheck, at: Indexes): Read {
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

/** One more row, or a typing mistake, in a file sent again would put one slab on two shelves. Throws `CliError` naming them. */
export async function rejectHeld(
  work: UnitOfWork,
  arrivals: readonly RowArrival[],
  file: string | undefined,
): Promise<void> {
  const held = await heldSlabs(
    work,
    arrivals.map(({ arrival }) => arrival),
  )
  const [first] = held
  if (first === undefined) return
  const why = (slab: HeldSlab): string => {
    const { grader, cert_number } = arrivals[slab.at]?.arrival ?? {}
    return `${grader} ${cert_number} ${heldAs(slab, arrivals)}`
  }
  const hint = hintOf(held, file)
  if (file === undefined) throw new CliError('conflict', `${why(first)}; nothing was received.`, { hint })
  const fields = Object.fromEntries(held.map((slab) => [`row ${arrivals[slab.at]?.row}`, [why(slab)]]))
  const message = `${counted(held.length, 'row')} of ${file} cannot be received; nothing was received.`
  throw new CliError('conflict', message, { hint, fields })
}

function heldAs(slab: HeldSlab, arrivals: readonly RowArrival[]): string {
  if ('before' in slab) return `is also in row ${arrivals[slab.before]?.row}`
  return `is already in custody: ${slab.item.qid}, ${slab.item.status}`
}

function hintOf(held: readonly HeldSlab[], file: string | undefined): string {
  const sent = held.flatMap((slab) => ('item' in slab && slab.item.status === 'in_transit' ? slab.item : []))
  const back =
    sent[0] && `If its parcel came back: custody warehouse return ${sent[0].active_fulfillment_id}. `
  if (file === undefined) return `${back ?? ''}Check the grader and the number on its label.`
  const advice = [
    ...(held.some((slab) => 'item' in slab) ? ['Leave out what is in custody.'] : []),
    ...(held.some((slab) => 'before' in slab) ? ['Correct or delete rows that repeat another.'] : []),
  ]
  return `${back ?? ''}${advice.join(' ')}`
}
