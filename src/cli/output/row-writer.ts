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
  const { push, end } = writerFor(options)
  return {
    async push(rows) {
      // Also if there are no rows: the header is written once.
      for (let start = 0; start === 0 || start < rows.length; start += blockRows)
        await push(rows.slice(start, start + blockRows))
    },
    end,
  }
}

function writerFor(options: RowWriterOptions): RowWriter {
  switch (options.format) {
    case 'table':
      return tableWriter(options)
    case 'tsv':
      return tsvWriter(options)
    case 'csv':
      return csvWriter(options)
    case 'json':
      return jsonWriter(options)
    case 'ndjson':
      return ndjsonWriter(options)
  }
}

function tableWriter({ out, columns, bar, hasHeader = true, style, onHidden }: RowWriterOptions): RowWriter {
  const text = cellText(out.isTerminal)
  let layout: TableLayout | undefined
  return {
    async push(rows) {
      if (rows.length === 0) return
      const { hiddenColumns, tableLayout, tableText } = await import('./table.ts')
      const isFirst = layout === undefined
      layout ??= tableLayout(columns, bar, rows, text, out.columns(), hasHeader)
      out.write(tableText(layout, rows, text, style, hasHeader && isFirst))
      const hidden = isFirst ? hiddenColumns(layout, rows, text) : []
      if (hidden.length > 0) onHidden?.(hidden)
    },
    async end() {},
  }
}

/** Replaces tabs and line breaks in values, which would add columns or rows. */
function tsvWriter({ out, columns, hasHeader = true }: RowWriterOptions): RowWriter {
  let text = hasHeader ? `${columns.map((column) => column.name).join('\t')}\n` : ''
  const flush = (): void => {
    out.write(text)
    text = ''
  }
  return {
    async push(rows) {
      for (const row of rows) {
        text += `${columns.map((column) => harmless(plainText(cellOf(row, column)))).join('\t')}\n`
      }
      flush()
    },
    async end() {
      if (text !== '') flush()
    },
  }
}

function csvWriter({ out, columns, hasHeader = true, isRaw, csv = plainCsv }: RowWriterOptions): RowWriter {
  const header = hasHeader ? { header: columns.map(({ name }) => name) } : {}
  let isFirst = true
  const write = async (rows: readonly unknown[]): Promise<void> => {
    const { csvText } = await import('./csv-text.ts')
    const records = rows.map((row) => columns.map((column) => cellOf(row, column)))
    const head = isFirst ? header : { hasMark: false }
    out.write(csvText(records, { ...csv, ...head, isGuarded: !isRaw }), true)
    isFirst = false
  }
  return {
    push: write,
    async end() {
      if (isFirst) await write([])
    },
  }
}

function jsonWriter({ out, columns, isChosen }: RowWriterOptions): RowWriter {
  let isEmpty = true
  return {
    async push(rows) {
      let text = ''
      for (const row of rows) {
        const object = jsonText(chosenFields(row, columns, isChosen), 2)
        text += `${isEmpty ? '[' : ','}\n  ${object.replaceAll('\n', '\n  ')}`
        isEmpty = false
      }
      out.write(text)
    },
    async end() {
      out.write(isEmpty ? '[]\n' : '\n]\n')
    },
  }
}

function ndjsonWriter({ out, columns, isChosen }: RowWriterOptions): RowWriter {
  return {
    async push(rows) {
      out.write(rows.map((row) => `${jsonText(chosenFields(row, columns, isChosen))}\n`).join(''))
    },
    async end() {},
  }
}

export function chosenFields(row: unknown, columns: readonly Column[], isChosen = false): unknown {
  if (!isChosen) return row
  return Object.fromEntries(
    columns.map((column) => [column.name, valueAt(row, column.name) ?? cellOf(row, column) ?? null]),
  )
}
