import { isSpreadsheetError } from '../../../domain/csv/csv-cells.ts'
import { nameKey } from '../../../domain/csv/csv-header.ts'
import { countryNamed } from '../../../domain/fulfillments/country-names.ts'
import { hasNoStates, stateOfUs } from '../../../domain/fulfillments/iso-countries.ts'
import { graderKey, readGrader } from '../../../domain/graders/graders.ts'
import { quoted } from '../../base/shell-word.ts'
import type { Preset, Reading, Rule, ShipStatus, Skip } from './presets.ts'

/** A row's cell by column name, trimmed; empty if the column is missing. */
export type Cells = (name: string) => string

/** Of two columns with the same name, the first counts. */
export function cellsOf(header: readonly string[], absent = ''): (values: readonly string[]) => Cells {
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
    return text === absent ? '' : text
  }
}

export function mappedCell(rule: Rule, cells: Cells): string {
  if (typeof rule === 'string') return cells(rule)
  if ('join' in rule) return joined(rule, cells)
  if ('certificate' in rule) return certificateOf(rule, cells)
  if (rule.ifFilled !== undefined && cells(rule.ifFilled) === '') return ''
  return 'constant' in rule ? rule.constant : readAs(rule, cells)
}

export function skippedBecause(skips: readonly Skip[], cells: Cells): string | undefined {
  return skips.find((skip) => {
    const text = firstOf(skip.column, cells)
    return 'isEmpty' in skip ? (text === '') === skip.isEmpty : skip.is.includes(text.toLowerCase())
  })?.why
}

export function failsBecause(fails: Preset['fails'], cells: Cells): string {
  const text = fails === undefined ? '' : cells(fails.column)
  const isMet = fails?.begins.some((words) => text.toUpperCase().startsWith(words))
  return fails && isMet ? `${fails.column} is "${text}": ${fails.why}.` : ''
}

export function unknownWord(skips: readonly Skip[], cells: Cells): string {
  for (const skip of skips) {
    if (!('unless' in skip) || skip.unless === undefined) continue
    const text = firstOf(skip.column, cells)
    if (text === '' || [...skip.is, ...skip.unless].includes(text.toLowerCase())) continue
    return `Column "${skip.column}" has "${text}": write ${skip.is[0]} or ${skip.unless[0]}.`
  }
  return ''
}

export function unclearStatus(
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
      word === '' ? 'Fill it in.' : `To ship such orders: --ship-status ${quoted(word.toLowerCase())}`
    return `${column} is ${text === '' ? 'empty' : `"${text}"`}. ${remedy}`
  })
  return faults.join('; ')
}

export function columnsOf(rule: Rule): string[] {
  if (typeof rule === 'string') return [rule]
  if ('constant' in rule) return []
  if ('join' in rule)
    return [
      ...rule.join,
      ...[rule.otherwise ?? []].flat(),
      ...(rule.after ?? []),
      ...[rule.graded ?? []].flat(),
    ]
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
  if (texts.length > 0 && after.length === rule.after?.length) texts.push(...after)
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
  return country === 'US' ? read(text, as) : text
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
function read(text: string, as: Reading): string {
  switch (as) {
    case 'grader':
      return graderOf(text)
    case 'country':
      return countryNamed(text) ?? text
    case 'state':
      return stateOfUs(text) ?? text
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
