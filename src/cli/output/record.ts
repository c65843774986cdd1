import type { Outlet } from '../base/io.ts'
import { paintStatus, type Style } from '../base/style.ts'
import { harmless, jsonText } from '../base/terminal-text.ts'
import { cellText, plainText } from './cell-text.ts'
import { chooseColumns, mainPart } from './choose-columns.ts'
import { type Column, cellOf, headingOf, type Part, type View, valueAt } from './columns.ts'
import { fitTo } from './fit-to.ts'
import type { Format, OutputOptions } from './format.ts'
import { chosenFields } from './row-writer.ts'

type Means = {
  format: Format
  out: Outlet
  style: Style
  all: (rows: readonly unknown[], view: View) => Promise<void>
  options: Pick<OutputOptions, 'columns' | 'summaryColumns'>
}

/** For a record with lines, --columns shows only the lines, --summary-columns only the fields, and both show both. */
export async function printRecord(record: unknown, view: View, means: Means): Promise<void> {
  const { format, out, options, all } = means
  const main = mainPart(view)
  const chosen = main ? options.summaryColumns : options.columns
  const ofLines = main && options.columns
  if (main && chosen === undefined && (ofLines !== undefined || format === 'csv'))
    return all(rowsOf(record, main), main)
  const columns = chooseColumns(view, chosen, main && '--summary-columns')
  const both = main && ofLines !== undefined ? { main, columns: chooseColumns(main, ofLines) } : undefined
  switch (format) {
    case 'json':
    case 'ndjson': {
      const fields = chosenFields(record, columns, chosen !== undefined) as object
      const lines = both && rowsOf(record, both.main).map((row) => chosenFields(row, both.columns, true))
      const whole = lines ? { ...fields, lines } : fields
      return out.write(`${jsonText(whole, format === 'json' ? 2 : undefined)}\n`)
    }
    case 'csv':
      return all([record], { ...view, columns })
    case 'tsv':
      for (const column of columns)
        out.write(`${column.name}\t${harmless(plainText(cellOf(record, column)))}\n`)
      break
    case 'table':
      out.write(await fieldLines(record, columns, means))
  }
  const parts = chosen === undefined ? (view.parts ?? []) : []
  for (const part of both ? [both.main] : parts) await printPart(record, part, means)
}

async function printPart(record: unknown, part: Part, { format, out, style, all }: Means): Promise<void> {
  const rows = rowsOf(record, part)
  if (rows.length === 0) return
  out.write(format === 'table' ? `\n${style.bold(`${part.title} (${rows.length})`)}\n` : '\n')
  await all(rows, part)
}

/** Leaves out fields without a value, which would fill half of the screen. */
async function fieldLines(
  record: unknown,
  columns: readonly Column[],
  { out, style }: Means,
): Promise<string> {
  const { aligned } = await import('./table.ts')
  const textOf = cellText(out.isTerminal)
  const fields = columns
    .map((column) => ({ column, text: textOf(record, column) }))
    .filter(({ text }) => text !== '')
  const cells = fields.map(({ column, text }) => [
    style.dim(labelOf(column)),
    column.kind === 'status' ? paintStatus(style, text) : text,
  ])
  return (await fitTo(out))(aligned(cells))
}

function labelOf(column: Column): string {
  return headingOf(column)
    .split(' ')
    .map((word, index) => {
      const [, acronym = ''] = /^(QID|SKU|UPC|ID|URL)S?$/.exec(word) ?? []
      const kept = acronym || (index > 0 ? '' : word.slice(0, 1))
      return kept + word.slice(kept.length).toLowerCase()
    })
    .join(' ')
}

function rowsOf(record: unknown, { name, rows }: Part): readonly unknown[] {
  const found = rows ? rows(record as never) : valueAt(record, name)
  return Array.isArray(found) ? found : []
}
