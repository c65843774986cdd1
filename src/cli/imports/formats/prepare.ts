import { csvUploadLimits, fieldTooLarge } from '../../../domain/csv/csv-limits.ts'
import type { Separator } from '../../../domain/csv/csv-pieces.ts'
import type { RowChecker } from '../../../domain/csv/csv-row.ts'
import type { Session } from '../../command.ts'
import { csvLine, csvText, unguarded } from '../../output/csv-text.ts'
import type { SheetRecord } from '../workbook/sheet-record.ts'
import { cellsOf, ourCell } from './apply-rules.ts'
import { chooseLayout } from './choose-layout.ts'
import { type CsvSource, temporarySource } from './csv-source.ts'
import type { FileKind } from './file-kind.ts'
import { withAdvice } from './file-refusal.ts'
import type { FormatOptions } from './format-flags.ts'
import { formatFlags } from './format-flags.ts'
import { nameKey } from './header-name.ts'
import { errorColumns } from './own-marks.ts'
import type { OriginalColumn, ReadyFile } from './ready-file.ts'
import { rowPlaces } from './row-places.ts'
import { sayLeftOut } from './said.ts'
import { saveMap } from './saved-map.ts'
import { openTable, type Table } from './table.ts'
import { type LeftOut, type Plan, rowTaker, type TakenRow } from './take-rows.ts'

/** A column that the prepared file has in addition: what is wrong with a row as a whole. */
const faultColumn = '!fault'

const decimalComma = /^\d+,\d+$/

/** Or three decimals. */
const thousands = /^[1-9]\d{0,2}(?:\.\d{3})+$/

/** Characters that are written at once. */
const bufferedMax = 256 * 1024

/**
 * Makes a file in our form of whatever it is: our columns first, then what is wrong with the row, then the columns of the
 * operator's file, which the errors file has again. What is sent after that knows nothing of formats.
 */
export async function prepare<Kind extends FileKind>(
  session: Session,
  kind: Kind,
  given: CsvSource,
  options: FormatOptions,
): Promise<ReadyFile<Kind>> {
  const flags = formatFlags(kind, options)
  const table = await openTable(session, given, flags)
  const { separator, line, above, plan } = await chooseLayout(session, kind, table, flags)
  if (options.saveMap !== undefined) await saveMap(session, options.saveMap, options)
  const original = originalColumns(plan)
  const places = rowPlaces()
  const leftOut: LeftOut = { above, reasons: new Map(), separatorsOnly: 0, trailers: 0 }
  const header = [
    ...plan.columns.map(([name]) => name),
    faultColumn,
    ...original.map((_, at) => `!${at + 1}`),
  ]
  const taker = rowTaker(plan, leftOut, kind)
  const { found, pointed, unclear } = await decimalPoints(kind, plan, table, { separator, line })
  let rows = 0
  const cellsOf = ({ row, line, values, fault, original: cells }: TakenRow): string[] => {
    places.note(++rows, { row, line })
    return [
      ...values.map(pointed),
      fault || unclear(values),
      ...original.map(({ at }) => cellAt(cells, at, plan.header.length)),
    ]
  }
  async function* lines(): AsyncGenerator<string> {
    yield csvLine(header)
    for await (const records of table.records(separator)) {
      refuseSwallowed(records, separator, plan.header.length, given.name)
      const taken = records.flatMap((record) => (record.line > line ? taker.take(record) : []))
      yield csvText(taken.map(cellsOf))
    }
    yield csvText(taker.end().map(cellsOf))
  }
  const source = await temporarySource(given.name, buffered(lines()))
  given.dispose()
  if (found.commas) session.notice('Numbers are read with a decimal comma.')
  sayLeftOut(session, leftOut, plan)
  return {
    source: { ...source, path: given.path },
    kind: { ...kind, checker: (names, today) => faultsFirst(names, kind.checker(names, today)) },
    columns: { ...kind.columns, required: [], ignored: header.filter((name) => name.startsWith('!')) },
    places,
    separator,
    isShop: plan.preset?.kind === 'fulfillments',
    original: original.map(({ name }, index) => ({ name, at: plan.columns.length + 1 + index })),
  }
}

/** A long text is none of our columns', and is not sent. One of rows has swallowed them: throws, for they would be missed. */
function refuseSwallowed(
  records: readonly SheetRecord[],
  separator: Separator,
  width: number,
  file: string,
): void {
  for (const { values, line } of records)
    for (const value of values) {
      if (value.length <= csvUploadLimits.fieldBytes) continue
      const lines = value.split(/\r\n?|\n/).slice(1, -1)
      const rows = lines.filter((text) => text.split(separator).length === width)
      if (rows.length * 2 > lines.length)
        throw withAdvice(fieldTooLarge(`near line ${line}`, csvUploadLimits), file)
    }
}

async function* buffered(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = ''
  for await (const more of texts) {
    text += more
    if (text.length < bufferedMax) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

/** A spreadsheet that separates by semicolons writes numbers with a decimal comma, and perhaps with points between thousands. */
async function decimalPoints(
  { numbers = [] }: FileKind,
  { columns, header, preset }: Plan,
  table: Table,
  { separator, line }: { separator: Separator; line: number },
) {
  const isNumber = columns.map(([name]) => separator === ';' && numbers.includes(name))
  const rules = columns.flatMap(([, rule], at) => (isNumber[at] ? [rule] : []))
  const readCells = cellsOf(header, preset?.absent)
  const isComma = ({ values }: SheetRecord): boolean =>
    rules.some((rule) => decimalComma.test(ourCell(rule, readCells(values))))
  const found = { commas: false }
  if (rules.length > 0)
    for await (const records of table.records(separator)) {
      found.commas = records.some((record) => record.line > line && isComma(record))
      if (found.commas) break
    }
  const pointed = (value: string, at: number): string =>
    isNumber[at] && decimalComma.test(value) ? value.replace(',', '.') : value
  const unclear = (values: readonly string[]): string => {
    const at = values.findIndex((value, index) => found.commas && isNumber[index] && thousands.test(value))
    const [name, value] = [columns[at]?.[0], values[at]]
    return at < 0
      ? ''
      : `${name} "${value}" may be thousands in a file of decimal commas: write it without a point.`
  }
  return { found, pointed, unclear }
}

/** All columns with a name, except those that an errors file added. */
function originalColumns({ header }: Plan): OriginalColumn[] {
  const ours = errorColumns.map(nameKey)
  return header.flatMap((name, at) =>
    name.trim() === '' || ours.includes(nameKey(name)) ? [] : [{ name: unguarded(name), at }],
  )
}

/** Cells beyond the header's are appended to the last one, so that nothing is lost. */
function cellAt(cells: readonly string[], at: number, width: number): string {
  return at === width - 1 ? cells.slice(at).join(',') : (cells[at] ?? '')
}

/** A row that is at fault as a whole is not checked further. */
function faultsFirst(header: readonly string[], check: RowChecker<unknown>): RowChecker<unknown> {
  const at = header.indexOf(faultColumn)
  return (rows) => {
    const faulty = rows.filter(({ values }) => (values[at] ?? '') !== '')
    if (faulty.length === 0) return check(rows)
    const checked = check(rows.filter((row) => !faulty.includes(row)))
    const rejected = faulty.map(({ row, values }) => {
      return { row, code: 'validation_error' as const, fields: {}, message: values[at] ?? '' }
    })
    return { ...checked, rejected: [...checked.rejected, ...rejected] }
  }
}
