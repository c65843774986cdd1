import { nameKey } from '../../domain/csv/csv-header.ts'
import { csvUploadLimits, fieldTooLarge } from '../../domain/csv/csv-limits.ts'
import type { Separator } from '../../domain/csv/csv-pieces.ts'
import type { RowChecker } from '../../domain/csv/csv-row.ts'
import type { Session } from '../command.ts'
import { csvText } from '../output/csv-text.ts'
import { type CsvSource, rejectionOf, temporarySource } from './csv-source.ts'
import { cellAt, errorColumns, type FileKind, type ReadyFile, rowPlaces } from './file-kind.ts'
import { type FormatOptions, formatFlags, saveMap } from './format-flags.ts'
import { chooseLayout } from './layout.ts'
import { findColumn } from './own-columns.ts'
import type { SheetRecord } from './read-sheet.ts'
import { openTable, type Table } from './table.ts'
import { cellsOf, columnsOf, mappedCell, type Plan, rowTaker, type TakenRow } from './take-rows.ts'

const faultColumn = '!fault'

const decimal = /^\d+([.,])\d+$/

/** With three decimals, or in thousands. */
const ambiguous = /^[1-9]\d{0,2}([.,])\d{3}$/

const bufferedMax = 256 * 1024

/** Columns of the result: ours, the row's fault, then the operator's own for the errors file. */
export async function prepare<Kind extends FileKind>(
  session: Session,
  kind: Kind,
  given: CsvSource,
  options: FormatOptions,
): Promise<ReadyFile<Kind>> {
  const flags = formatFlags(kind, options)
  const table = await openTable(session, given, flags)
  const { separator, headerLine, above, plan } = await chooseLayout(session, kind, table, flags)
  if (options.saveMap !== undefined) await saveMap(session, options.saveMap, options)
  const ours = errorColumns.map(nameKey)
  // All named columns, except those that an errors file added.
  const original = plan.header.flatMap((name, at) =>
    name.trim() === '' || ours.includes(nameKey(name)) ? [] : [{ name, at }],
  )
  const places = rowPlaces(namesOf(plan))
  const grade = plan.preset === undefined && original.findIndex(({ name }) => nameKey(name) === 'grade')
  const isSent = plan.columns.some(([ours]) => ours === 'grade')
  const extra = [faultColumn, ...original.map((_, at) => (at === grade && !isSent ? 'grade' : `!${at + 1}`))]
  const header = [...plan.columns.map(([name]) => name), ...extra]
  const taker = rowTaker(plan, above, kind)
  const { hasCommas, pointed, unclear } = await decimalPoints(kind, plan, table, { separator, headerLine })
  let rows = 0
  const textOf = (taken: readonly TakenRow[]): string =>
    csvText(
      taken.map(({ row, line, values, fault, original: cells }) => {
        places.note(++rows, { row, line })
        const kept = original.map(({ at }) => cellAt(cells, at, plan.header.length))
        return [...values.map(pointed), fault || unclear(values), ...kept]
      }),
    )
  async function* lines(): AsyncGenerator<Buffer> {
    let text = csvText([header])
    for await (const records of table.records(separator)) {
      rejectSwallowed(records, separator, plan.header.length, given.name)
      text += textOf(records.flatMap((record) => (record.line > headerLine ? taker.take(record) : [])))
      if (text.length < bufferedMax) continue
      yield Buffer.from(text)
      text = ''
    }
    yield Buffer.from(text + textOf(taker.end()))
  }
  const source = await temporarySource(given.name, lines())
  given.dispose()
  if (hasCommas) session.notice('Numbers are read with a decimal comma.')
  for (const sentence of taker.leftOut()) session.notice(sentence)
  const skipped = { ...taker.skipped(), ...(table.hiddenSkipped > 0 && { hidden: table.hiddenSkipped }) }
  if (rows === 0 && kind.verb !== undefined && Object.keys(skipped).length > 0)
    session.notice(`Nothing to ${kind.verb}.`)
  return {
    source,
    kind: { ...kind, checker: (names) => faultsFirst(names, kind.checker(names)) },
    columns: { ...kind.columns, required: [], ignored: extra },
    places,
    separator,
    isShop: plan.preset?.kind === 'fulfillments',
    skipped,
    original: original.map(({ name }, index) => ({ name, at: plan.columns.length + 1 + index })),
  }
}

/** A column of ours that comes from several of the file's has all their names. */
function namesOf({ columns, header }: Plan): Map<string, string> {
  const there = (name: string): string | [] => findColumn(header, name)?.trim() ?? []
  return new Map(
    columns.flatMap(([ours, rule]) => {
      const isJoin = typeof rule === 'object' && 'join' in rule
      const isOne = typeof rule === 'object' && 'certificate' in rule
      const found = (isJoin ? rule.join : columnsOf(rule).slice(0, isOne ? 1 : undefined)).flatMap(there)
      return found.length === 0 ? [] : [[ours, found.join(isJoin ? ' + ' : ' or ')] as const]
    }),
  )
}

/** A long text fits none of our columns and is not sent. If it swallowed rows, throws, since they would be missed. */
function rejectSwallowed(
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
        throw rejectionOf(fieldTooLarge(`near line ${line}`, csvUploadLimits), file)
    }
}

/** Spreadsheets that separate by semicolons write decimal commas, and points between thousands. Those that separate by tabs may write either. */
async function decimalPoints(
  { numbers = [] }: FileKind,
  { columns, header, preset }: Plan,
  table: Table,
  { separator, headerLine }: { separator: Separator; headerLine: number },
) {
  const isNumber = columns.map(([name]) => separator !== ',' && numbers.includes(name))
  const rules = columns.flatMap(([, rule], at) => (isNumber[at] ? [rule] : []))
  const readCells = cellsOf(header, preset)
  const marks = new Set<string | undefined>()
  if (rules.length > 0)
    for await (const records of table.records(separator))
      for (const { values, line } of records) {
        if (line <= headerLine) continue
        const cells = readCells(values)
        for (const rule of rules) {
          const text = mappedCell(rule, cells)
          const mark = decimal.exec(text)?.[1]
          marks.add(ambiguous.test(text) ? `ambiguous ${mark}` : mark)
        }
      }
  const isClear = (mark: string): boolean =>
    (marks.has(mark) || (separator === ';' && mark === ',')) && !marks.has(mark === ',' ? '.' : ',')
  return {
    hasCommas: marks.has(',') || (marks.has('ambiguous ,') && isClear(',')),
    pointed: (value: string, at: number): string =>
      isNumber[at] && decimal.test(value) ? value.replace(',', '.') : value,
    unclear: (values: readonly string[]): string => {
      for (const [at, value] of values.entries()) {
        const mark = isNumber[at] ? ambiguous.exec(value)?.[1] : undefined
        if (mark === undefined || isClear(mark)) continue
        const [whole, fraction] = [value.replace(mark, ''), `${value.replace(',', '.')}0`]
        return `${columns[at]?.[0]} "${value}" may be in thousands: write ${whole} or ${fraction}.`
      }
      return ''
    },
  }
}

function faultsFirst(header: readonly string[], check: RowChecker<unknown>): RowChecker<unknown> {
  const at = header.indexOf(faultColumn)
  return (rows) => {
    const isFaulty = ({ values }: { values: readonly string[] }): boolean => (values[at] ?? '') !== ''
    const faulty = rows.filter(isFaulty)
    if (faulty.length === 0) return check(rows)
    const checked = check(rows.filter((row) => !isFaulty(row)))
    const rejected = faulty.map(({ row, values }) => {
      return { row, code: 'validation_error' as const, fields: {}, message: values[at] ?? '' }
    })
    return { ...checked, rejected: [...checked.rejected, ...rejected] }
  }
}
