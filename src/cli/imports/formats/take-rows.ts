import { CliError } from '../../base/cli-error.ts'
import { unguarded } from '../../output/csv-text.ts'
import type { SheetRecord } from '../workbook/sheet-record.ts'
import {
  type Cells,
  cellsOf,
  columnsOf,
  ourCell,
  skippedBecause,
  unclearStatus,
  unknownWord,
} from './apply-rules.ts'
import type { FileKind } from './file-kind.ts'
import { firstText, nameKey, noRows } from './header-name.ts'
import type { Preset, Rule } from './presets/preset.ts'

/** What is done with the rows of a file. */
export type Plan = {
  header: readonly string[]
  /** Our columns, in the order in which they are written. */
  columns: ReadonlyArray<readonly [string, Rule]>
  /** Constants for empty cells. */
  given: ReadonlyMap<string, string>
  /** The export that the file is; undefined for the operator's own form. */
  preset: Preset | undefined
  /** Statuses that are shipped although they do not plainly ask for it. */
  shipped: ReadonlySet<string>
}

export type TakenRow = {
  row: number
  line: number
  values: string[]
  /** The cells of the file, with what the first row of its order fills in. */
  original: string[]
  /** A fault of the row that is found before its columns are checked. */
  fault: string
}

/** What was left out, to be reported. `above`: lines above the header. */
export type LeftOut = {
  above: number
  reasons: Map<string, number>
  separatorsOnly: number
  trailers: number
}

type Candidate = { row: number; line: number; cells: string[]; fault: string }

/** Takes the records after the header. Rows of one order are given together, in the file's order. */
export function rowTaker(plan: Plan, leftOut: LeftOut, kind: Pick<FileKind, 'codes' | 'numbers'>) {
  const read = columnsRead(plan, kind)
  const noRow = noRows(plan.header)
  const width = plan.header.length
  const readCells = cellsOf(plan.header, plan.preset?.absent)
  let pending: Candidate[] = []
  let row = 0
  const flush = (): TakenRow[] => {
    const taken = takeOrder(plan, readCells, pending, leftOut)
    pending = []
    return taken
  }
  return {
    take({ values, line, spoiled = [] }: SheetRecord): TakenRow[] {
      const is = noRow(values)
      const isEmpty = spoiled.length === 0 && is === 'empty'
      if (isEmpty && values.length === 1) return []
      row += 1
      if (is === 'other header') throw secondHeader(line)
      if (is === 'header again' || isTrailer(plan, values, is === 'sum')) leftOut.trailers += 1
      else if (isEmpty) leftOut.separatorsOnly += 1
      else {
        const cells = values.map(unguarded)
        for (const { at, held } of spoiled)
          if (held !== undefined && read.numbers.has(nameKey(plan.header[at] ?? ''))) cells[at] = held
        const candidate = {
          row,
          line,
          cells,
          fault: spoiledFault(cells, spoiled, plan, read) || faultOf(plan, cells, width, is === 'sum'),
        }
        const isSame = isOfSameOrder(plan, readCells, pending.at(-1), candidate)
        const before = isSame ? [] : flush()
        pending.push(candidate)
        return before
      }
      return []
    },
    end: flush,
  }
}

/** The columns of the file that are read, and those of them that hold a code or a number. */
function columnsRead({ columns }: Plan, { codes, numbers = [] }: Pick<FileKind, 'codes' | 'numbers'>) {
  const keysOf = (isOne: (ours: string) => boolean) =>
    new Set(columns.flatMap(([ours, rule]) => (isOne(ours) ? columnsOf(rule) : [])).map(nameKey))
  return {
    everything: keysOf(() => true),
    codes: keysOf((ours) => codes.includes(ours)),
    numbers: keysOf((ours) => ours === 'quantity' || numbers.includes(ours)),
  }
}

/**
 * A code is never guessed at, and a cell without its value nowhere. The cell gets the mark of an error: in the file of failed rows
 * it would be a text like any other.
 */
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

function isOfSameOrder(
  { preset }: Plan,
  readCells: (values: readonly string[]) => Cells,
  last: Candidate | undefined,
  next: Candidate,
): boolean {
  const group = preset?.group
  if (group === undefined || last === undefined) return false
  const order = readCells(next.cells)(group.by)
  return order !== '' && readCells(last.cells)(group.by) === order
}

function takeOrder(
  plan: Plan,
  readCells: (values: readonly string[]) => Cells,
  candidates: readonly Candidate[],
  leftOut: LeftOut,
): TakenRow[] {
  const { columns, given, preset } = plan
  const { group, skip = [], status = [] }: Partial<Preset> = preset ?? {}
  const names = new Set(plan.header.map(nameKey))
  const has = (column: string): boolean => names.has(nameKey(column))
  fillDown(plan, candidates)
  const items = new Set(candidates.filter(({ cells }) => hasItem(readCells(cells), group)))
  return candidates.flatMap((candidate) => {
    const { row, line, cells: original, fault } = candidate
    const cells = readCells(original)
    const values = columns.map(([name, rule]) => ourCell(rule, cells) || (given.get(name) ?? ''))
    const isOfOrder = items.size > 0 && !items.has(candidate)
    const why = isOfOrder ? 'of a whole order, beside its items' : skippedBecause(skip, cells)
    if (fault !== '' || why === undefined) {
      const unclear = () => unknownWord(skip, cells) || unclearStatus(status, cells, has, plan.shipped)
      return [
        { row, line, values, original, fault: fault || (items.size === 0 ? lacksItem(group) : unclear()) },
      ]
    }
    leftOut.reasons.set(why, (leftOut.reasons.get(why) ?? 0) + 1)
    return []
  })
}

function hasItem(cells: Cells, group: Preset['group']): boolean {
  return group?.item === undefined || group.item.some((name) => cells(name) !== '')
}

function lacksItem(group: Preset['group']): string {
  return `The order has no item: fill in ${group?.item?.map((name) => `"${name}"`).join(' or ')}.`
}

/** Copies down what only the first row of an order has. */
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

/** Empty cells beyond the header's are cut off; any other is a fault. */
function faultOf({ header, preset }: Plan, cells: string[], width: number, isSum: boolean): string {
  while (cells.length > width && cells.at(-1)?.trim() === '') cells.pop()
  const surplus = cells.slice(width).some((cell) => cell.trim() !== '')
  if (surplus)
    return `The row has ${cells.length} fields and the header ${width}: quote a field that holds the separator.`
  if (cells.length < width && preset === undefined) {
    const lacking = header.slice(cells.length).some((name) => name.trim() !== '')
    if (lacking)
      return `The row has ${cells.length} fields and the header ${width}: a separator or a quote may be missing.`
  }
  const nameless = cells.findIndex((cell, at) => header[at]?.trim() === '' && cell.trim() !== '')
  if (nameless >= 0)
    return `Column ${nameless + 1} holds "${cells[nameless]}" and has no name: name it, or delete it.`
  return isSum ? `"${firstText(cells)}" looks like a sum below the rows: delete this row.` : ''
}

/** Rows below it would be read as by the first. */
function secondHeader(line: number): CliError {
  return new CliError('invalid', `Line ${line} has the header again, with its columns in another order.`, {
    hint: 'Split the file above this line.',
  })
}

function isTrailer({ preset }: Plan, values: readonly string[], isSum: boolean): boolean {
  const text = values.slice(0, 2).join(' ').toLowerCase()
  if (preset?.trailer?.some((words) => text.includes(words))) return true
  return preset !== undefined && isSum && values.filter((value) => /\p{L}/u.test(value)).length === 1
}
