import { csvColumnsMax } from '../../contract/limits.ts'
import { closestName } from '../closest-name.ts'
import { invalid, type Rejection, sentence } from '../rejection.ts'

export interface CsvColumns {
  known: readonly string[]
  required: readonly string[]
  /** Columns that are allowed but not read, by the file's own names. */
  ignored?: readonly string[]
}

/** Trimmed, in lower case. Throws if there are too many columns, or naming each wrong or missing one (decisions 5). */
export function readHeader(names: readonly string[], columns: CsvColumns): string[] {
  checkColumnCount(names.length, columns)
  const header = names.map((name) => name.trim().toLowerCase())
  const [fault, ...more] = headerFaults(header, columns)
  if (fault !== undefined) throw fileFault(fault, ...more)
  return header
}

/** Ignored columns do not count. */
export function checkColumnCount(count: number, { known, ignored = [] }: CsvColumns): void {
  if (count <= csvColumnsMax + ignored.length) return
  const most = csvColumnsMax.toLocaleString('en')
  throw fileFault(
    `has more than ${most} columns: delete all but ${known.join(', ')}; if these are all, a line break is missing after them`,
  )
}

export function headerFaults(header: readonly string[], columns: CsvColumns): string[] {
  const separator = otherSeparator(header)
  if (separator !== null) return [`is separated by ${separator}: save it with commas between the columns`]
  const allowed = new Set([...columns.known, ...(columns.ignored ?? [])])
  const absent = columns.known.filter((name) => !header.includes(name))
  const seen = new Set<string>()
  const faults: string[] = []
  for (const [index, name] of header.entries()) {
    if (name === '') faults.push(`has no name for column ${index + 1}: name it, or delete the column`)
    else if (!allowed.has(name)) faults.push(unknownColumn(name, columns.known, absent))
    else if (seen.has(name)) faults.push(`has the column ${name} twice`)
    seen.add(name)
  }
  const lacking = columns.required.filter((name) => !seen.has(name))
  return [...faults, ...lacking.map((name) => `lacks the required column ${name}`)]
}

/** A header of one column that contains another separator comes from a spreadsheet in another language. */
function otherSeparator([only, ...others]: readonly string[]): string | null {
  if (only === undefined || others.length > 0) return null
  if (only.includes(';')) return 'semicolons'
  return only.includes('\t') ? 'tabs' : null
}

function unknownColumn(name: string, known: readonly string[], absent: readonly string[]): string {
  const meant = closestName(name, absent)
  const advice = meant === null ? `the columns are ${known.join(', ')}` : `did you mean ${meant}?`
  return `has an unknown column ${quoted(name)}: ${advice}`
}

/** `Item #` is the item's number, not the item. A `#` alone numbers the rows. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/(?<=[\p{L}\p{N}][^\p{L}\p{N}]{0,3})#/gu, ' no ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const sum =
  /^(?:(?:grand|sub)[ -]?)?totals?(?: (?:units|quantity|qty|items|cards|lines|rows|count))?:?$|^(?:(?:gesamt|zwischen|end)?summen?|gesamt(?:menge|anzahl)?|insgesamt|(?:sous-)?total g[e\u00e9]n[e\u00e9]ral|somme|sum|suma(?: total)?):?$/i

type NoRow = 'empty' | 'sum' | 'header again' | 'other header'

/** Detects lines that are not rows: empty lines, sums, and repeated headers of joined files. */
export function noRows(header: readonly string[]): (values: readonly string[]) => NoRow | undefined {
  const names = header.map(nameKey).filter((name) => name !== '')
  const known = new Set(names)
  const isHeader = (keys: readonly string[]): boolean =>
    keys.length === names.length && new Set(keys).size === known.size && keys.every((key) => known.has(key))
  return (values) => {
    const first = firstText(values)
    if (first === '') return 'empty'
    if (sum.test(firstWord(values))) return 'sum'
    if (!known.has(nameKey(first))) return undefined
    const keys = values.map(nameKey).filter((key) => key !== '')
    if (!isHeader(keys)) return undefined
    return keys.every((key, at) => key === names[at]) ? 'header again' : 'other header'
  }
}

function firstText(values: readonly string[]): string {
  return values.find((value) => value.trim() !== '')?.trim() ?? ''
}

export function firstWord(values: readonly string[]): string {
  return values.find((value) => /\p{L}/u.test(value))?.trim() ?? ''
}

const namedMax = 20

/** Rejects the whole file with 400; nothing is written (decisions 5). Each text completes "The file ...". */
export function fileFault(...faults: [string, ...string[]]): Rejection {
  const named = faults.slice(0, namedMax)
  return invalid({ file: named }, sentence(`The file ${named.join('; ')}`))
}

/** A shortened JSON string, so that line breaks show. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57).toWellFormed()}...` : value).replaceAll(
    '\\"',
    '"',
  )
}
