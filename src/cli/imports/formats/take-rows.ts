import { firstText, nameKey, noRows } from '../../../domain/csv/csv-header.ts'
import { invalid } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import type { SheetRecord } from '../workbook/read-sheet.ts'
import {
  type Cells,
  cellsOf,
  columnsOf,
  failsBecause,
  mappedCell,
  skippedBecause,
  unclearStatus,
  unknownWord,
} from './apply-rules.ts'
import type { FileKind } from './file-kind.ts'
import type { Preset, Rule } from './presets.ts'

export type Plan = {
  header: readonly string[]
  columns: ReadonlyArray<readonly [string, Rule]>
  given: ReadonlyMap<string, string>
  preset: Preset | undefined
  /** Further statuses whose orders ship, from --ship-status. */
  shipped: ReadonlySet<string>
}

export type TakenRow = {
  row: number
  line: number
  values: string[]
  /** The file's cells, completed from the first row of the order. */
  original: string[]
  fault: string
}

type Candidate = { row: number; line: number; cells: string[]; fault: string }

/** Returns the rows of one order together, in the file's order. */
export function rowTaker(plan: Plan, above: number, kind: Pick<FileKind, 'codes' | 'numbers'>) {
  const { header, preset } = plan
  const read = columnsRead(plan, kind)
  const noRow = noRows(header)
  const readCells = cellsOf(header, preset?.absent)
  const reasons = new Map<string, number>()
  const dropped = { empty: 0, trailers: 0 }
  let pending: Candidate[] = []
  let order = ''
  let row = 0
  const flush = (): TakenRow[] => {
    const taken = takeOrder(plan, readCells, pending, reasons)
    pending = []
    return taken
  }
  return {
    take({ values, line, spoiled = [] }: SheetRecord): TakenRow[] {
      const is = noRow(values)
      const isEmpty = spoiled.length === 0 && is === 'empty'
      if (isEmpty && values.length === 1) return []
      row += 1
      if (is === 'other header')
        throw invalid(
          `Line ${line} repeats the header with its columns in another order.`,
          'Split the file above this line.',
        )
      if (isEmpty) dropped.empty += 1
      else if (is === 'header again' || isTrailer(plan, values, is === 'sum')) dropped.trailers += 1
      else {
        const cells = [...values]
        for (const { at, held } of spoiled)
          if (held !== undefined && read.numbers.has(nameKey(header[at] ?? ''))) cells[at] = held
        const fault = spoiledFault(cells, spoiled, plan, read) || faultOf(plan, cells, is === 'sum')
        const last = order
        order = preset?.group === undefined ? '' : readCells(cells)(preset.group.by)
        const before = order !== '' && order === last ? [] : flush()
        pending.push({ row, line, cells, fault })
        return before
      }
      return []
    },
    end: flush,
    leftOut: () => leftOutText(above, header, reasons, dropped),
  }
}

function leftOutText(
  above: number,
  header: readonly string[],
  reasons: ReadonlyMap<string, number>,
  { empty, trailers }: { empty: number; trailers: number },
): string[] {
  const total = [...reasons.values()].reduce((sum, count) => sum + count, 0)
  const skipped = [...reasons].map(([why, count]) => `${count.toLocaleString('en')} ${why}`).join(', ')
  const nameless = header.filter((name) => name.trim() === '').length
  const dropped = [
    above > 0 ? counted(above, 'line above the header', 'lines above the header') : '',
    nameless > 0 ? counted(nameless, 'empty column') : '',
    empty > 0 ? counted(empty, 'empty row') : '',
    trailers > 0 ? counted(trailers, 'line that is not a row', 'lines that are not rows') : '',
  ].filter(Boolean)
  return [
    total > 0 ? `${counted(total, 'row is', 'rows are')} skipped: ${skipped}.` : '',
    dropped.length > 0 ? `Dropped: ${dropped.join(', ')}.` : '',
  ].filter(Boolean)
}

function columnsRead({ columns }: Plan, { codes, numbers = [] }: Pick<FileKind, 'codes' | 'numbers'>) {
  const keysOf = (isOne: (ours: string) => boolean) =>
    new Set(columns.flatMap(([ours, rule]) => (isOne(ours) ? columnsOf(rule) : [])).map(nameKey))
  return {
    everything: keysOf(() => true),
    codes: keysOf((ours) => codes.includes(ours)),
    numbers: keysOf((ours) => ours === 'quantity' || numbers.includes(ours)),
  }
}

/** Codes are never guessed. The cell is marked as an error: in the file of failed rows it would look like any other text. */
function spoiledFault(
  cells: string[],
  spoiled: NonNullable<SheetRecord['spoiled']>,
  { header }: Plan,
  read: ReturnType<typeof columnsRead>,
): string {
  const found = spoiled.filter(({ at, spoils }) => read[spoils].has(nameKey(header[at] ?? '')))
  for (const { at } of found) cells[at] = `#VALUE! ${cells[at]}`.trim()
  return found.map(({ at, why, advice }) => `Column "${header[at]}" ${why}: ${advice}.`).join(' ')
}

function takeOrder(
  plan: Plan,
  readCells: (values: readonly string[]) => Cells,
  candidates: readonly Candidate[],
  reasons: Map<string, number>,
): TakenRow[] {
  const { group, skip = [], status = [], fails }: Partial<Preset> = plan.preset ?? {}
  const names = new Set(plan.header.map(nameKey))
  const has = (column: string): boolean => names.has(nameKey(column))
  fillDown(plan, candidates)
  const hasItem = (cells: Cells): boolean => group?.item?.some((name) => cells(name) !== '') ?? true
  const items = new Set(candidates.filter(({ cells }) => hasItem(readCells(cells))))
  return candidates.flatMap((candidate) => {
    const { row, line, cells: original, fault } = candidate
    const cells = readCells(original)
    const isOfOrder = items.size > 0 && !items.has(candidate)
    const why = isOfOrder ? 'of a whole order, next to its items' : skippedBecause(skip, cells)
    if (fault === '' && why !== undefined) {
      reasons.set(why, (reasons.get(why) ?? 0) + 1)
      return []
    }
    const values = plan.columns.map(([name, rule]) => mappedCell(rule, cells) || (plan.given.get(name) ?? ''))
    const found =
      items.size === 0
        ? `The order has no item: fill in ${group?.item?.map((name) => `"${name}"`).join(' or ')}.`
        : failsBecause(fails, cells) ||
          unknownWord(skip, cells) ||
          unclearStatus(status, cells, has, plan.shipped)
    return { row, line, values, original, fault: fault || found }
  })
}

function fillDown({ preset, header }: Plan, candidates: readonly Candidate[]): void {
  const group = preset?.group
  const [first, ...others] = candidates
  if (group === undefined || first === undefined) return
  const filled = new Set(group.fill.map(nameKey))
  for (const [at, name] of header.entries()) {
    if (!filled.has(nameKey(name))) continue
    for (const { cells } of others) if ((cells[at] ?? '').trim() === '') cells[at] = first.cells[at] ?? ''
  }
}

/** Cuts off empty cells beyond the header's; any other is a fault. */
function faultOf({ header, preset }: Plan, cells: string[], isSum: boolean): string {
  const width = header.length
  while (cells.length > width && cells.at(-1)?.trim() === '') cells.pop()
  const fields = `The row has ${cells.length} fields and the header ${width}`
  if (cells.length > width) return `${fields}: quote a field that contains the separator.`
  const isShort = preset === undefined && header.slice(cells.length).some((name) => name.trim() !== '')
  if (isShort) return `${fields}: a separator or a quote may be missing.`
  const nameless = cells.findIndex((cell, at) => header[at]?.trim() === '' && cell.trim() !== '')
  if (nameless >= 0)
    return `Column ${nameless + 1} contains "${cells[nameless]}" and has no name: name it, or delete it.`
  return isSum ? `"${firstText(cells)}" looks like a total below the rows: delete this row.` : ''
}

function isTrailer({ preset }: Plan, values: readonly string[], isSum: boolean): boolean {
  const text = values.slice(0, 2).join(' ').toLowerCase()
  if (preset?.trailer?.some((words) => text.includes(words))) return true
  return preset !== undefined && isSum && values.filter((value) => /\p{L}/u.test(value)).length === 1
}
