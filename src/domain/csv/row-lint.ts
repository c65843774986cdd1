import { once } from '../../contract/once.ts'
import { own } from '../../contract/own.ts'
import { slabFaults } from '../graders/slab-faults.ts'
import { codeFault, isSpreadsheetError } from './csv-cells.ts'
import type { CsvColumns } from './csv-header.ts'
import type { CsvRow } from './csv-reading.ts'

/** Probable damage by a spreadsheet. `isCertain`: sending the cell would do harm; otherwise it is a warning. */
export type Lint = { row: number; field: string; message: string; isCertain: boolean }

type Finding = Omit<Lint, 'row' | 'field'>

/** Digits of a ZIP code in countries where it may begin with 0; the service checks US codes. */
const zipDigits: Readonly<Record<string, number>> = {
  DE: 5,
  ES: 5,
  FI: 5,
  FR: 5,
  IT: 5,
  KR: 5,
  MX: 5,
  AU: 4,
  NO: 4,
  NZ: 4,
  SG: 6,
  JP: 7,
}

const isPlain = /^[ -~]*$/
const invisible = /(?![\t\n\r])[\p{Cc}\p{Cf}]/u

/** Finds damage that the service does not reject: damaged codes, and failed lookups in any column. */
export function lintRows(
  header: readonly string[],
  { columns, codes }: { columns: CsvColumns; codes: readonly string[] },
  rows: readonly CsvRow[],
): Lint[] {
  const read = columns.known.flatMap((field) => {
    const at = header.indexOf(field)
    return at < 0 ? [] : { field, at, isCode: codes.includes(field) }
  })
  const [country, state, zip] = ['country', 'state', 'zip'].map((name) => header.indexOf(name)) as [
    number,
    number,
    number,
  ]
  const isOfSlabs = columns.known.includes('cert_number')
  const slab = (['grader', 'cert_number', 'grade', 'description'] as const).flatMap((field) => {
    const at = isOfSlabs ? header.indexOf(field) : -1
    return at < 0 ? [] : { field, at, isSent: columns.known.includes(field) }
  })
  const found: Lint[] = []
  for (const { row, values } of rows) {
    const faulty = new Set<string>()
    for (const { field, at, isCode } of read) {
      const text = values[at]?.trim() ?? ''
      if (text === '') continue
      const finding = isCode
        ? (damage(text) ??
          notAsPrinted(text, zip >= 0 ? field : undefined) ??
          lostZeros(field, text, values[country]) ??
          dateOf(text))
        : errorOf(text)
      if (finding) found.push({ row, field, ...finding })
      if (finding) faulty.add(field)
    }
    const elsewhere = zipElsewhere(values[zip], values[state], values[country])
    if (elsewhere && !faulty.has('zip')) found.push({ row, field: 'zip', ...elsewhere })
    if (slab.length === 0) continue
    const graded = Object.fromEntries(slab.map(({ field, at }) => [field, values[at]?.trim()]))
    for (const fault of slabFaults(graded)) {
      const isSent = slab.find(({ field }) => field === fault.field)?.isSent === true
      if (!faulty.has(fault.field)) found.push({ row, ...fault, isCertain: fault.isCertain && isSent })
    }
  }
  return found
}

function errorOf(text: string): Finding | undefined {
  if (isSpreadsheetError(text)) return failedLookup(text)
  return /^="[^"]*"$/.test(text) ? formula(text) : undefined
}

function formula(text: string): Finding {
  const value = text.replace(/^="?/, '').replace(/"$/, '')
  return { message: `"${text}" is a formula: write ${value}`, isCertain: true }
}

function failedLookup(text: string): Finding {
  return { message: `"${text}" is a spreadsheet error, not a value`, isCertain: true }
}

function damage(text: string): Finding | undefined {
  switch (text.charCodeAt(0)) {
    case 35: // #
      if (!/^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|#)/.test(text)) return errorOf(text)
      return failedLookup(text)
    case 39: // '
      return {
        message: `"${text}" begins with an apostrophe: write ${text.slice(1) || 'nothing'}`,
        isCertain: true,
      }
    case 61: // =
      return formula(text)
    default:
      return undefined
  }
}

/** Certificates of some graders have letters, hyphens and spaces. */
function notAsPrinted(text: string, ofOrder: string | undefined): Finding | undefined {
  if (/^\d+$/.test(text)) return undefined
  const number = codeFault(text)
  if (number !== undefined) return { message: number, isCertain: true }
  const hidden = isPlain.test(text) ? undefined : invisible.exec(text)?.[0]
  if (hidden !== undefined) {
    const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    return {
      message: `"${text}" contains an invisible character (U+${code}): type it again`,
      isCertain: true,
    }
  }
  if ((ofOrder === 'zip' || ofOrder === 'external_ref') && /^\d+[.,]00?$/.test(text)) {
    // An order under another reference is another order.
    const before = ofOrder === 'zip' ? '' : `, or add --no-lint if you ordered it as "${text}" before`
    const message = `"${text}" is a number: format the column as text and type it again${before}`
    return { message, isCertain: true }
  }
  return undefined
}

function lostZeros(field: string, text: string, country = ''): Finding | undefined {
  switch (field) {
    case 'upc':
      if (!/^\d{11}$/.test(text)) return undefined
      return { message: `"${text}" has 11 digits: a leading zero may be lost`, isCertain: false }
    case 'zip':
      return lostZerosOfZip(text, country.trim().toUpperCase())
    default:
      return undefined
  }
}

function lostZerosOfZip(text: string, country: string): Finding | undefined {
  const all = own(zipDigits, country) ?? 0
  if (text.length >= all || !/^\d+$/.test(text)) return undefined
  return {
    message: `"${text}" has ${text.length} digits and zips of ${country} have ${all}: leading zeros may be lost (${text.padStart(all, '0')})`,
    isCertain: false,
  }
}

/** The ZIP code belongs to another state than the one given; the service checks the form of both. */
function zipElsewhere(zip = '', state = '', country = ''): Finding | undefined {
  const code = zip.trim()
  if (country.trim().toUpperCase() !== 'US' || !/^\d{5}(?:-?\d{4})?$/.test(code)) return undefined
  const states = statesOfZip(code)
  const given = state.trim().toUpperCase()
  if (given === '' || states.includes(given)) return undefined
  const where = states.length === 0 ? 'in no state' : `in ${states.join(' or ')}`
  return { message: `"${code}" is ${where}, and the state is ${given}`, isCertain: false }
}

function dateOf(text: string): Finding | undefined {
  if (text.length > 8 || !/^(\d{1,2}-[a-z]{3}|[a-z]{3}-\d{2,4})$/i.test(text)) return undefined
  if (!/jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i.test(text)) return undefined
  return { message: `"${text}" looks like a code that a spreadsheet turned into a date`, isCertain: false }
}

/**
 * First three digits of each state's ZIP codes, and whole codes that are exceptions, by Google's address data (libaddressinput,
 * sub_zips of US). The states are those of USPS, with military mail.
 */
const table =
  'AA:340 AE:090-099 AK:995-999 AL:350-369 AP:962-966 AR:716-729 AS:96799 AZ:850-869 CA:900-961 CO:800-819 CT:060-069 ' +
  'DC:200,202-205,569 DE:197-199 FL:320-339,341-349 FM:96941-96944 GA:300-319,398,39901 GU:96910-96929,96931,96932 ' +
  'HI:96700-96798,968 IA:500-529 ID:832-839 IL:600-629 IN:460-479 KS:660-679 KY:400-427 LA:700-715 MA:010-027,05501,05544 ' +
  'MD:206-219 ME:039-049 MH:96960-96979 MI:480-499 MN:550-567 MO:630-659 MP:96950-96952 MS:386-397 MT:590-599 ' +
  'NC:270-289 ND:580-589 NE:680-699 NH:030-038 NJ:070-089 NM:870-884 NV:889-899 NY:00501,00544,06390,100-149 ' +
  'OH:430-459 OK:730-749 OR:970-979 PA:150-196 PR:006,007,009 PW:96939,96940 RI:028,029 SC:290-299 SD:570-579 ' +
  'TN:370-385 TX:73301,73344,750-799,885 UT:840-849 VA:201,220-246 VI:008 VT:050-059 WA:980-994 WI:530-549 ' +
  'WV:247-269 WY:820-831,83414'

type Range = { state: string; from: number; to: number }

const ranges = once((): readonly Range[] =>
  table.split(' ').flatMap((entry) => {
    const [state = '', codes = ''] = entry.split(':')
    return codes.split(',').map((code) => {
      const [from = '', to = from] = code.split('-')
      return { state, from: Number(from.padEnd(5, '0')), to: Number(to.padEnd(5, '9')) }
    })
  }),
)

export function statesOfZip(zip: string): string[] {
  const code = Number(zip.slice(0, 5))
  return ranges()
    .filter(({ from, to }) => code >= from && code <= to)
    .map(({ state }) => state)
}
