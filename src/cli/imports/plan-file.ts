import { fileFault, noRows } from '../../domain/csv/csv-header.ts'
import { type CsvReader, openCsv, type PlacedRow } from '../../domain/csv/csv-reading.ts'
import type { RowChecker } from '../../domain/csv/csv-row.ts'
import type { Lint } from '../../domain/csv/row-lint.ts'
import { type Located, limitsOf, located, type ReadyFile, withoutGuards } from '../files/file-kind.ts'
import { checkLocally, type PlannedChunk } from './chunk-rows.ts'
import type { ChunkedKind } from './import-kind.ts'
import { equalRows, ordersOf, referenceIn, type SharedRows, type SharedRowsFinder } from './shared-rows.ts'

const chunkRows = 5000

/** Bytes after which a chunk ends even with few rows: below the limit of one upload (decisions 5). */
const chunkBytes = 16 * 1024 * 1024

/** Errors or warnings in the JSON result; the errors file has all errors. */
export const errorsMax = 1000

export type FilePlan = SharedRows & {
  useLint: boolean
  header: readonly string[]
  rows: number
  warnings: Located<Lint>[]
  warned: number
  chunks: PlannedChunk[]
  /** The rows of one order are one parcel, and stay in one chunk. */
  groups: boolean
}

type PlanOptions = Pick<ReadyFile<ChunkedKind>, 'kind' | 'columns' | 'places' | 'original' | 'skipped'> & {
  useLint: boolean
  combine?: boolean
  groups?: boolean
}

type Planning = PlanOptions & {
  reader: CsvReader
  pending: PlacedRow[]
  check: RowChecker<unknown> | undefined
  shared: SharedRowsFinder
  order: string
  plan: Pick<FilePlan, 'rows' | 'warnings' | 'warned' | 'chunks'>
}

/** Checks the file and records where its chunks begin; keeps no rows. Throws for a bad file (decisions 5). */
export async function planFile(pieces: AsyncIterable<Buffer>, options: PlanOptions): Promise<FilePlan> {
  const { kind, useLint, combine = false, groups = false } = options
  const planning: Planning = {
    ...options,
    reader: openCsv(options.columns, limitsOf(options)),
    pending: [],
    check: undefined,
    shared: groups ? ordersOf() : equalRows(kind, combine),
    order: '',
    plan: { rows: 0, warnings: [], warned: 0, chunks: [] },
  }
  const { plan, reader } = planning
  for await (const piece of pieces) addRows(planning, reader.push(piece))
  addRows(planning, reader.end())
  const shared = planning.shared.end()
  for (const row of [...shared.failed.keys(), ...shared.sums.keys()]) {
    const chunk = plan.chunks.findLast(({ firstRow }) => firstRow <= row)
    if (chunk !== undefined) chunk.isWhole = false
  }
  return { ...plan, ...shared, groups, useLint, header: reader.header() ?? [] }
}

function addRows(planning: Planning, rows: readonly PlacedRow[]): void {
  for (const row of rows) {
    const chunk = chunkOf(planning, row)
    chunk.to = row.end
    chunk.rows += 1
    planning.pending.push(row)
  }
  checkPending(planning)
}

function chunkOf(planning: Planning, { row, start, values }: PlacedRow): PlannedChunk {
  const { chunks } = planning.plan
  const last = chunks.at(-1)
  const order = planning.groups ? referenceIn(planning.reader.header() ?? [], values) : ''
  const isOfLast = order !== '' && order === planning.order
  planning.order = order
  const isFree = last !== undefined && last.rows < chunkRows && last.to - last.from <= chunkBytes
  if (last !== undefined && (isFree || (isOfLast && last.rows < 2 * chunkRows))) return last
  checkPending(planning)
  planning.check = undefined
  const chunk = { from: start, to: start, firstRow: row, rows: 0, isWhole: true }
  chunks.push(chunk)
  return chunk
}

/** Checks rows in small groups and drops them: a whole chunk's would take megabytes. */
function checkPending(planning: Planning): void {
  const { plan, kind, places, useLint } = planning
  const chunk = plan.chunks.at(-1)
  if (chunk === undefined || planning.pending.length === 0) return
  const header = planning.reader.header() ?? []
  const pending = readyRows(planning, header, planning.pending)
  planning.check ??= kind.checker(header)
  const checked = checkLocally(header, pending, planning.check, useLint ? kind : undefined)
  planning.shared.add(header, pending, checked)
  if (checked.bad.length > 0) chunk.isWhole = false
  plan.rows += pending.length
  plan.warned += checked.warnings.length
  const room = errorsMax - plan.warnings.length
  for (const warning of checked.warnings.slice(0, room)) plan.warnings.push(located(warning, places))
  planning.pending = []
}

/** If a file in our form has lines that are not rows, throws, and `readImport` converts it, which omits those lines. */
export function readyRows(
  { original, places }: Pick<ReadyFile, 'original' | 'places'>,
  header: readonly string[],
  rows: readonly PlacedRow[],
): readonly PlacedRow[] {
  if (original !== undefined) return rows
  for (const place of rows) places.note(place.row, place)
  const noRow = noRows(header)
  const own = withoutGuards(rows)
  if (own.some(({ values }) => noRow(values) !== undefined)) throw fileFault('has lines that are not rows')
  return own
}
