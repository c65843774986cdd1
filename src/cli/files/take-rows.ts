import { isSpreadsheetError } from '../../domain/csv/csv-cells.ts'
import { firstWord, nameKey, noRows } from '../../domain/csv/csv-header.ts'
import { raggedText } from '../../domain/csv/csv-row.ts'
import { countryNamed } from '../../domain/fulfillments/country-names.ts'
import { hasNoStates, stateNamed } from '../../domain/fulfillments/iso-countries.ts'
import { graderKey, readGrader } from '../../domain/graders/graders.ts'
import { invalid } from '../base/cli-error.ts'
import { counted, digits } from '../base/counted.ts'
import { quoted } from '../base/shell-word.ts'
import type { FileKind, Skipped } from './file-kind.ts'
import type { Preset, Reading, Rule, ShipStatus, Skip } from './presets.ts'
import type { SheetRecord } from './read-sheet.ts'

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
  /** The file's cells; those that are empty are filled from the row of the same order that has the address. */
  original: string[]
  fault: string
}

type KnownColumns = Pick<FileKind, 'codes' | 'dates' | 'numbers'>
type Candidate = { row: number; line: number; cells: string[]; fault: string }

/** Returns the rows of one order together, in the file's order. */
export function rowTaker(plan: Plan, above: number, kind: KnownColumns) {
  const { header, preset } = plan
  const read = columnsRead(plan, kind)
  const noRow = noRows(header)
  const readCells = cellsOf(header, preset)
  const reasons = new Map<string, number>()
  const dropped = { empty: 0, trailers: 0 }
  let pending: Candidate[] = []
  let order = ''
  let row = 0
  const flush = (): TakenRow[] => {
    const taken = takeOrder(plan, kind, readCells, pending, reasons)
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
    skipped: (): Skipped => Object.fromEntries(reasons),
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
  const skipped = [...reasons].map(([why, count]) => `${digits(count)} ${why}`).join(', ')
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

function columnsRead({ columns }: Plan, { codes, dates = [], numbers = [] }: KnownColumns) {
  const keysOf = (isOne: (ours: string) => boolean) =>
    new Set(columns.flatMap(([ours, rule]) => (isOne(ours) ? columnsOf(rule) : [])).map(nameKey))
  return {
    everything: keysOf(() => true),
    codes: keysOf((ours) => codes.includes(ours)),
    undated: keysOf((ours) => !dates.includes(ours)),
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
  { numbers = [] }: Pick<FileKind, 'numbers'>,
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
  const reasonOf = (candidate: Candidate) => skippedBecause(skip, readCells(candidate.cells))
  const whole = items.size > 0 && candidates.find((candidate) => !items.has(candidate))
  const reasonOfWhole = whole && ![...items].some(reasonOf) ? reasonOf(whole) : undefined
  return candidates.flatMap((candidate) => {
    const { row, line, cells: original, fault } = candidate
    const cells = readCells(original)
    const isOfOrder = items.size > 0 && !items.has(candidate)
    const why = isOfOrder
      ? 'of a whole order, next to its items'
      : (skippedBecause(skip, cells) ?? reasonOfWhole)
    if (fault === '' && why !== undefined) {
      reasons.set(why, (reasons.get(why) ?? 0) + 1)
      return []
    }
    const values = plan.columns.map(([name, rule]) => {
      const [value, given = ''] = [mappedCell(rule, cells), plan.given.get(name)]
      // Shops write 0 for a weight that they do not know.
      const isUnknown = value === '' || (given !== '' && numbers.includes(name) && Number(value) === 0)
      return isUnknown ? given : value
    })
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
  const filled = new Set(group?.fill.map(nameKey))
  const places = [...header.keys()].filter((at) => filled.has(nameKey(header[at] ?? '')))
  const isEmpty = ({ cells }: Candidate, at: number): boolean => absent.test(cells[at]?.trim() ?? '')
  // A file that was sorted may have this row below others of its order.
  const head = candidates.find((candidate) => places.some((at) => !isEmpty(candidate, at)))
  for (const at of places)
    for (const candidate of candidates)
      if (isEmpty(candidate, at)) candidate.cells[at] = head?.cells[at] ?? ''
}

function faultOf({ header, preset }: Plan, cells: readonly string[], isSum: boolean): string {
  const width = header.length
  const isShort = preset === undefined && header.slice(cells.length).some((name) => name.trim() !== '')
  if (cells.length > width || isShort) return raggedText(cells, width, 'separator')
  const nameless = cells.findIndex((cell, at) => header[at]?.trim() === '' && cell.trim() !== '')
  if (nameless >= 0)
    return `Column ${nameless + 1} contains "${cells[nameless]}" and has no name: name it, or delete it.`
  return isSum ? `"${firstWord(cells)}" looks like a total below the rows: delete this row.` : ''
}

function isTrailer({ preset }: Plan, values: readonly string[], isSum: boolean): boolean {
  const text = values.slice(0, 2).join(' ').toLowerCase()
  if (preset?.trailer?.some((words) => text.includes(words))) return true
  return preset !== undefined && isSum && values.filter((value) => /\p{L}/u.test(value)).length === 1
}

const absent = /^-?$/

/** A row's cell by column name, trimmed; empty if the column is missing, or if an export of a site has a dash. */
type Cells = (name: string) => string

export function cellsOf(header: readonly string[], preset?: Preset): (values: readonly string[]) => Cells {
  const at = new Map<string, number>()
  for (const [index, name] of header.entries()) {
    const key = nameKey(name)
    if (!at.has(key)) at.set(key, index)
  }
  // Cached: rules have few names, and files many rows.
  const known = new Map<string, number>()
  const indexOf = (name: string): number => {
    const index = known.get(name) ?? at.get(nameKey(name)) ?? -1
    known.set(name, index)
    return index
  }
  return (values) => (name) => {
    const text = values[indexOf(name)]?.trim() ?? ''
    return preset && absent.test(text) ? '' : text
  }
}

export function mappedCell(rule: Rule, cells: Cells): string {
  if (typeof rule === 'string') return cells(rule)
  if ('join' in rule) return joined(rule, cells)
  if ('certificate' in rule) return certificateOf(rule, cells)
  if (rule.ifFilled !== undefined && cells(rule.ifFilled) === '') return ''
  return 'constant' in rule ? rule.constant : readAs(rule, cells)
}

function skippedBecause(skips: readonly Skip[], cells: Cells): string | undefined {
  return skips.find((skip) => {
    const text = firstOf(skip.column, cells)
    return 'isEmpty' in skip ? (text === '') === skip.isEmpty : skip.is.includes(text.toLowerCase())
  })?.why
}

function failsBecause(fails: Preset['fails'], cells: Cells): string {
  const text = fails === undefined ? '' : cells(fails.column)
  const isMet = fails?.begins.some((words) => text.toUpperCase().startsWith(words))
  return fails && isMet ? `${fails.column} is "${text}": ${fails.why}.` : ''
}

function unknownWord(skips: readonly Skip[], cells: Cells): string {
  for (const skip of skips) {
    if (!('unless' in skip) || skip.unless === undefined) continue
    const text = firstOf(skip.column, cells)
    if (text === '' || [...skip.is, ...skip.unless].includes(text.toLowerCase())) continue
    return `Column "${skip.column}" has "${text}": write ${skip.is[0]} or ${skip.unless[0]}.`
  }
  return ''
}

function unclearStatus(
  statuses: readonly ShipStatus[],
  cells: Cells,
  has: (column: string) => boolean,
  accepted: ReadonlySet<string>,
): string {
  const faults = statuses.flatMap(({ column, ...status }) => {
    const text = cells(column)
    const isClear = status.lacking === undefined ? status.ships.includes(text.toLowerCase()) : text !== ''
    const word = status.lacking ?? text
    if (!has(column) || isClear || accepted.has(word.toLowerCase())) return []
    const remedy =
      word === ''
        ? 'Fill it in, or put the rows of this order together.'
        : `To ship such orders: --ship-status ${quoted(word.toLowerCase())}`
    return `${column} is ${text === '' ? 'empty' : `"${text}"`}. ${remedy}`
  })
  return faults.join('; ')
}

export function columnsOf(rule: Rule): string[] {
  if (typeof rule === 'string') return [rule]
  if ('constant' in rule) return []
  if ('join' in rule) return [rule.join, rule.otherwise ?? [], rule.after ?? [], rule.graded ?? []].flat()
  if ('certificate' in rule) return [rule.certificate, rule.grader]
  return [rule.column].flat()
}

function firstOf(names: string | readonly string[], cells: Cells): string {
  return [names].flat().map(cells).find(Boolean) ?? ''
}

function joined(rule: Extract<Rule, { join: unknown }>, cells: Cells): string {
  const read = (name: string): string =>
    name === rule.number && isBareNumber(cells(name)) ? `#${cells(name)}` : cells(name)
  const textsOf = (names: readonly string[]): string[] =>
    names.map(read).filter((text) => text !== '' && text !== rule.without)
  const main = textsOf(rule.join)
  const texts = main.length === 0 ? textsOf([rule.otherwise ?? []].flat()) : main
  const after = textsOf(rule.after ?? [])
  if (texts.length > 0 && after.length === rule.after?.length)
    texts.push(...after.filter((text, at) => !after[at + 1]?.startsWith(text)))
  const graded = rule.graded === undefined ? '' : cells(rule.graded)
  if (texts.length > 0 && readGrader(graded).grader) texts.push(graded)
  // As in a spreadsheet, an error in one part is the error of the whole value.
  return texts.find(isSpreadsheetError) ?? texts.join(' ')
}

function isBareNumber(text: string): boolean {
  return /^[\p{L}\p{N}-]+$/u.test(text) && /\d/.test(text)
}

function readAs({ column, as, of, city }: Extract<Rule, { column: unknown }>, cells: Cells): string {
  const text = firstOf(column, cells)
  if (as !== 'state') return text === '' || as === undefined ? text : read(text, as)
  const country = read(firstOf(of ?? [], cells), 'country').toUpperCase()
  if (text === '') return hasNoStates(country) ? firstOf(city ?? [], cells) : ''
  return stateNamed(text, country) ?? text
}

/** Restores leading zeros only if they are known to be lost. */
function certificateOf(rule: Extract<Rule, { certificate: string }>, cells: Cells): string {
  const { certificate, grader, padded } = rule
  const text = cells(certificate)
  const isShortened = /^\d+$/.test(text) && text.length >= padded.from && text.length < padded.to
  const isPadded = isShortened && padded.graders.includes(graderKey(read(cells(grader), 'grader')))
  return isPadded ? text.padStart(padded.to, '0') : text
}

/** Leaves an unknown text as it is, because the row's check then names it. */
function read(text: string, as: Exclude<Reading, 'state'>): string {
  switch (as) {
    case 'grader':
      return graderOf(text)
    case 'country':
      return countryNamed(text) ?? text
    case 'code':
      // Shopify's mark that keeps a spreadsheet from taking the code for a number.
      return text.replace(/^'/, '')
  }
}

/** Graders by number in eBay's upload templates, from 275010 on. */
const ebayGraders = ['PSA', 'BCCG', 'BVG', 'BGS', 'CSG', 'CGC', 'SGC', 'KSA', 'GMA', 'HGA']

/** "PSA 10", "Professional Sports Authenticator (PSA)", "275010": the grader's name; empty for another number. */
function graderOf(text: string): string {
  const number = /^2750\d\d$/.test(text) ? ebayGraders[Number(text) - 275_010] : undefined
  const { grader } = readGrader(text)
  return number ?? grader?.name ?? (/^\d+$/.test(text) ? '' : text)
}
