import type { Outlet } from '../base/io.ts'
import type { Style } from '../base/style.ts'
import { harmless, jsonText } from '../base/terminal-text.ts'
import { cellText, plainText } from './cell-text.ts'
import { type Bar, type Column, cellOf, valueAt } from './columns.ts'
import { type CsvForm, type Format, plainCsv } from './format.ts'
import type { TableLayout } from './table.ts'

/** Keeps no rows, so that memory does not grow with the list. */
export type RowWriter = {
  push(rows: readonly unknown[]): Promise<void>
  end(): Promise<void>
}

export type RowWriterOptions = {
  format: Format
  out: Outlet
  columns: readonly Column[]
  bar?: Bar
  /** The operator chose the columns, so JSON objects have only these. */
  isChosen?: boolean
  hasHeader?: boolean
  /** CSV without guards against formulas. */
  isRaw?: boolean
  csv?: CsvForm
  style: Style
  onHidden?: (names: readonly string[]) => void
}

/** Rows converted at a time: the first appear at once, and the text of many does not fill the memory. */
const blockRows = 500

export function rowWriter(options: RowWriterOptions): RowWriter {
  const { write, end } = writers[options.format](options)
  let isFirst = true
  const push = async (rows: readonly unknown[]): Promise<void> => {
    // Also if there are no rows: the header is written once.
    for (let start = 0; start === 0 || start < rows.length; start += blockRows) {
      await write(rows.slice(start, start + blockRows), isFirst)
      isFirst = false
    }
  }
  return {
    push,
    async end() {
      if (isFirst) await push([])
      end?.()
    },
  }
}

type Writer = {
  write(rows: readonly unknown[], isFirst: boolean): Promise<void> | void
  end?(): void
}

const writers: Record<Format, (options: RowWriterOptions) => Writer> = {
  table: tableWriter,
  tsv: tsvWriter,
  csv: csvWriter,
  json: jsonWriter,
  ndjson: ({ out, columns, isChosen }) => ({
    write(rows) {
      out.write(rows.map((row) => `${jsonText(chosenFields(row, columns, isChosen))}\n`).join(''))
    },
  }),
}

function tableWriter({ out, columns, bar, hasHeader = true, style, onHidden }: RowWriterOptions): Writer {
  const text = cellText(out.isTerminal)
  let layout: TableLayout | undefined
  return {
    async write(rows) {
      if (rows.length === 0) return
      const { hiddenColumns, tableLayout, tableText } = await import('./table.ts')
      const isFirst = layout === undefined
      layout ??= tableLayout(columns, bar, rows, text, out.columns(), hasHeader)
      out.write(tableText(layout, rows, text, style, hasHeader && isFirst))
      const hidden = isFirst ? hiddenColumns(layout, rows, text) : []
      if (hidden.length > 0) onHidden?.(hidden)
    },
  }
}

/** Replaces tabs and line breaks in values, which would add columns or rows. */
function tsvWriter({ out, columns, hasHeader = true }: RowWriterOptions): Writer {
  const lineOf = (cells: readonly string[]): string => `${cells.join('\t')}\n`
  return {
    write(rows, isFirst) {
      const head = isFirst && hasHeader ? lineOf(columns.map(({ name }) => name)) : ''
      const lines = rows.map((row) =>
        lineOf(columns.map((column) => harmless(plainText(cellOf(row, column))))),
      )
      out.write(head + lines.join(''))
    },
  }
}

function csvWriter({ out, columns, hasHeader = true, isRaw, csv = plainCsv }: RowWriterOptions): Writer {
  const header = hasHeader ? { header: columns.map(({ name }) => name) } : {}
  return {
    async write(rows, isFirst) {
      const { csvText } = await import('./csv-text.ts')
      const records = rows.map((row) => columns.map((column) => cellOf(row, column)))
      const head = isFirst ? header : { hasMark: false }
      out.write(csvText(records, { ...csv, ...head, isGuarded: !isRaw }), true)
    },
  }
}

function jsonWriter({ out, columns, isChosen }: RowWriterOptions): Writer {
  let isEmpty = true
  return {
    write(rows) {
      let text = ''
      for (const row of rows) {
        const object = jsonText(chosenFields(row, columns, isChosen), 2)
        text += `${isEmpty ? '[' : ','}\n  ${object.replaceAll('\n', '\n  ')}`
        isEmpty = false
      }
      out.write(text)
    },
    end() {
      out.write(isEmpty ? '[]\n' : '\n]\n')
    },
  }
}

export function chosenFields(row: unknown, columns: readonly Column[], isChosen = false): unknown {
  if (!isChosen) return row
  return Object.fromEntries(
    columns.map((column) => [column.name, valueAt(row, column.name) ?? cellOf(row, column) ?? null]),
  )
}
