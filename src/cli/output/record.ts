import type { Style } from '../base/colours.ts'
import type { Outlet } from '../base/io.ts'
import { paintStatus } from '../base/style.ts'
import { harmless, jsonText } from '../base/terminal-text.ts'
import { cellText, plainText } from './cell-text.ts'
import { chooseColumns } from './choose-columns.ts'
import { type Column, cellOf, headingOf, type Part, type View, valueAt } from './columns.ts'
import type { Format } from './format.ts'
import { chosenFields, type RowWriter } from './row-writer.ts'

type Means = {
  format: Format
  out: Outlet
  style: Style
  list: (view: View) => RowWriter
  /** What --columns names. */
  chosen: string | undefined
}

/** One resource: its fields one below the other, then its parts as tables; as JSON, the wire's own object. */
export async function printRecord(record: unknown, view: View, means: Means): Promise<void> {
  const { format, out, chosen, list } = means
  const columns = chooseColumns(view, chosen)
  const main = view.parts?.find(({ isMain }) => isMain)
  switch (format) {
    case 'json':
      return out.write(`${jsonText(chosenFields(record, columns, chosen !== undefined), 2)}\n`)
    case 'ndjson':
      return out.write(`${jsonText(chosenFields(record, columns, chosen !== undefined))}\n`)
    case 'csv':
      if (main === undefined || chosen !== undefined) return printRows(list(view), [record])
      return printRows(list({ columns: main.columns }), mainRowsOf(record, main))
    case 'tsv':
      out.write(
        columns.map((column) => `${column.name}\t${harmless(plainText(cellOf(record, column)))}\n`).join(''),
      )
      break
    case 'table':
      out.write(fieldLines(record, columns, means))
  }
  if (chosen === undefined) await printParts(record, view, means)
}

async function printParts(record: unknown, view: View, { format, out, style, list }: Means): Promise<void> {
  for (const part of view.parts ?? []) {
    const rows = rowsOf(record, part.name)
    if (rows.length === 0) continue
    out.write(format === 'table' ? `\n${style.bold(`${part.title} (${rows.length})`)}\n` : '\n')
    await printRows(list({ columns: part.columns }), rows)
  }
}

async function printRows(writer: RowWriter, rows: readonly unknown[]): Promise<void> {
  await writer.push(rows)
  await writer.end()
}

/** Fields without a value are left out: they would be half of the screen. */
function fieldLines(record: unknown, columns: readonly Column[], { out, style }: Means): string {
  const textOf = cellText(out.isTerminal)
  const fields = columns
    .map((column) => ({ column, text: textOf(record, column) }))
    .filter(({ text }) => text !== '')
  const width = Math.max(...fields.map(({ column }) => labelOf(column).length))
  return fields
    .map(({ column, text }) => {
      const value = column.kind === 'status' ? paintStatus(style, text) : text
      return `${style.dim(labelOf(column).padEnd(width))}  ${value}\n`
    })
    .join('')
}

/** `TRACKING URL` -> `Tracking URL` */
function labelOf(column: Column): string {
  return headingOf(column)
    .split(' ')
    .map((word, index) => (isAcronym(word) ? word : index > 0 ? word.toLowerCase() : capitalised(word)))
    .join(' ')
}

function isAcronym(word: string): boolean {
  return /^(QID|SKU|UPC|ID|URL)$/.test(word)
}

function capitalised(word: string): string {
  return word.slice(0, 1) + word.slice(1).toLowerCase()
}

function mainRowsOf(record: unknown, { name, mainRows }: Part): readonly unknown[] {
  return mainRows?.(record as never) ?? rowsOf(record, name)
}

function rowsOf(record: unknown, path: string): readonly unknown[] {
  const rows = valueAt(record, path)
  return Array.isArray(rows) ? rows : []
}
