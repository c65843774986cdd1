import { isSpreadsheetError } from '../../../domain/csv/csv-cells.ts'
import { graderKey } from '../../../domain/graders/graders.ts'
import { quoted } from '../../base/shell-word.ts'
import { nameKey } from './header-name.ts'
import type { Rule, ShipStatus, Skip } from './presets/preset.ts'
import { hasNoStates, read } from './readings.ts'

/** A row of the file: the cell of a column by its name, trimmed; empty if the cell is empty or there is no such column. */
export type Cells = (name: string) => string

/** Cells of a file with this header. The first of two columns of one name counts. */
export function cellsOf(header: readonly string[], absent = ''): (values: readonly string[]) => Cells {
  const at = new Map<string, number>()
  for (const [index, name] of header.entries()) {
    const key = nameKey(name)
    if (!at.has(key)) at.set(key, index)
  }
  const keyOf = memoised(nameKey)
  return (values) => (name) => {
    const text = values[at.get(keyOf(name)) ?? -1]?.trim() ?? ''
    return text === absent ? '' : text
  }
}

/** The names that rules have are few, and rows are many. */
function memoised(keyOf: (name: string) => string): (name: string) => string {
  const keys = new Map<string, string>()
  return (name) => {
    const known = keys.get(name)
    if (known !== undefined) return known
    const key = keyOf(name)
    keys.set(name, key)
    return key
  }
}

/** The value of one of our columns. */
export function ourCell(rule: Rule, cells: Cells): string {
  if (typeof rule === 'string') return cells(rule)
  if ('first' in rule) return firstOf(rule.first, cells)
  if ('join' in rule) return joined(rule, cells)
  if ('certificate' in rule) return certificateOf(rule, cells)
  if (rule.beside !== undefined && cells(rule.beside) === '') return ''
  return 'constant' in rule ? rule.constant : readAs(rule, cells)
}

/** Why a row is left out; undefined if it is not. */
export function skippedBecause(skips: readonly Skip[], cells: Cells): string | undefined {
  return skips.find((skip) => isSkipped(skip, cells))?.why
}

/** A word by which it is not certain whether a row is left out. */
export function unknownWord(skips: readonly Skip[], cells: Cells): string {
  for (const skip of skips) {
    if (!('unless' in skip) || skip.unless === undefined) continue
    const text = firstOf([skip.column].flat(), cells)
    if (text === '' || [...skip.is, ...skip.unless].includes(text.toLowerCase())) continue
    return `Column "${skip.column}" holds "${text}": write ${skip.is[0]} or ${skip.unless[0]}.`
  }
  return ''
}

/** The status by which it is not certain that a row is to be shipped. `has`: whether the file has a column. */
export function unclearStatus(
  statuses: readonly ShipStatus[],
  cells: Cells,
  has: (column: string) => boolean,
  accepted: ReadonlySet<string>,
): string {
  for (const { column, ...status } of statuses) {
    const text = cells(column)
    const isClear = status.lacking === undefined ? status.ships.includes(text.toLowerCase()) : text !== ''
    const word = status.lacking ?? text
    if (!has(column) || isClear || accepted.has(word.toLowerCase())) continue
    const remedy =
      word === '' ? 'Fill it in.' : `To ship such orders: --ship-status ${quoted(word.toLowerCase())}`
    return `${column} is ${text === '' ? 'empty' : `"${text}"`}. ${remedy}`
  }
  return ''
}

/** Every column of the file that a rule looks at. */
export function columnsOf(rule: Rule): string[] {
  if (typeof rule === 'string') return [rule]
  if ('constant' in rule) return []
  if ('first' in rule) return [...rule.first]
  if ('join' in rule) return [...rule.join, ...(rule.otherwise === undefined ? [] : [rule.otherwise])]
  if ('certificate' in rule) return [rule.certificate, rule.grader]
  return [rule.column].flat()
}

function firstOf(names: readonly string[], cells: Cells): string {
  for (const name of names) {
    const text = cells(name)
    if (text !== '') return text
  }
  return ''
}

function joined({ join, without, otherwise }: Extract<Rule, { join: unknown }>, cells: Cells): string {
  const texts = join.map(cells).filter((text) => text !== '' && text !== without)
  if (texts.length === 0 && otherwise !== undefined) return cells(otherwise)
  // As in a spreadsheet: what is made of a failed look-up has failed.
  return texts.find(isSpreadsheetError) ?? texts.join(' ')
}

function readAs({ column, as, of, city }: Extract<Rule, { column: unknown }>, cells: Cells): string {
  const text = firstOf([column].flat(), cells)
  if (as !== 'state') return text === '' || as === undefined ? text : read(text, as)
  const country = read(firstOf([of ?? []].flat(), cells), 'country').toUpperCase()
  if (text === '') return hasNoStates(country) ? firstOf([city ?? []].flat(), cells) : ''
  return country === 'US' ? read(text, as) : text
}

/** Unchanged, except for leading zeros that are known to be lost. */
function certificateOf(rule: Extract<Rule, { certificate: string }>, cells: Cells): string {
  const { certificate, grader, padded } = rule
  const text = cells(certificate)
  const isShortened = /^\d+$/.test(text) && text.length >= padded.from && text.length < padded.to
  const isPadded = isShortened && padded.graders.includes(graderKey(read(cells(grader), 'grader')))
  return isPadded ? text.padStart(padded.to, '0') : text
}

function isSkipped(skip: Skip, cells: Cells): boolean {
  const text = firstOf([skip.column].flat(), cells)
  if ('isEmpty' in skip) return (text === '') === skip.isEmpty
  return skip.is.includes(text.toLowerCase())
}
