import { csvColumnsMax } from '../../contract/limits.ts'
import { closestName } from '../closest-name.ts'
import { fileFault, quoted } from './csv-fault.ts'

/** The columns of one kind of file. Names are lower case. */
export interface CsvColumns {
  known: readonly string[]
  required: readonly string[]
  /** Columns of the file, by its own names, that may be there and are not read. */
  ignored?: readonly string[]
}

/**
 * The column names of a header line, trimmed and in lower case, in the file's order.
 * Throws naming every fault: a column twice, an unknown one, one without a name, one that is lacking (decisions 5); of more
 * columns than a file may have, only that.
 */
export function readHeader(names: readonly string[], columns: CsvColumns): string[] {
  checkColumnCount(names.length, columns)
  const header = names.map((name) => name.trim().toLowerCase())
  const [fault, ...more] = headerFaults(header, columns)
  if (fault !== undefined) throw fileFault(fault, ...more)
  return header
}

/** Throws when a header has more columns than it may. Those that are ignored do not count. */
export function checkColumnCount(count: number, { known, ignored = [] }: CsvColumns): void {
  if (count <= csvColumnsMax + ignored.length) return
  const most = csvColumnsMax.toLocaleString('en')
  throw fileFault(
    `has more than ${most} columns: delete all but ${known.join(', ')}; if these are all, a line break is missing after them`,
  )
}

function headerFaults(header: readonly string[], columns: CsvColumns): string[] {
  const separator = otherSeparator(header)
  if (separator !== null) return [`is separated by ${separator}: save it with commas between the columns`]
  const allowed = new Set([...columns.known, ...(columns.ignored ?? [])])
  const seen = new Set<string>()
  const faults: string[] = []
  for (const [index, name] of header.entries()) {
    if (name === '') faults.push(`has no name for column ${index + 1}: name it, or delete the column`)
    else if (!allowed.has(name)) faults.push(unknownColumn(name, columns.known))
    else if (seen.has(name)) faults.push(`has the column ${name} twice`)
    seen.add(name)
  }
  const lacking = columns.required.filter((name) => !seen.has(name))
  return [...faults, ...lacking.map((name) => `lacks the required column ${name}`)]
}

/** A header of one column that holds another separator is a file from a spreadsheet in another language. */
function otherSeparator([only, ...others]: readonly string[]): string | null {
  if (only === undefined || others.length > 0) return null
  if (only.includes(';')) return 'semicolons'
  return only.includes('\t') ? 'tabs' : null
}

function unknownColumn(name: string, known: readonly string[]): string {
  const meant = closestName(name, known)
  const advice = meant === null ? `the columns are ${known.join(', ')}` : `did you mean ${meant}?`
  return `has an unknown column ${quoted(name)}: ${advice}`
}
