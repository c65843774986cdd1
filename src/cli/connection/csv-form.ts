import type { Io } from '../base/io.ts'
import { plainStyle } from '../base/style.ts'
import type { Column } from '../output/columns.ts'
import { type CsvForm, type OutputOptions, plainCsv } from '../output/format.ts'
import { writeOutputFile } from '../output/output-file.ts'
import { rowWriter } from '../output/row-writer.ts'
import { configOf } from './target-settings.ts'

export function csvForm({ io, options }: { io: Pick<Io, 'env'>; options: OutputOptions }): CsvForm {
  const { excel } = configOf(io.env)
  if (!options.excel && !excel) return plainCsv
  // In languages that write 1.5 as 1,5, Excel splits at semicolons.
  const ofLanguage = new Intl.NumberFormat().format(1.5).includes(',') ? ';' : ','
  return { separator: typeof excel === 'string' ? excel : ofLanguage, hasMark: true }
}

/** Safe to open in a spreadsheet, unless --raw is given. Throws `usage` if the file cannot be written, or has other columns. */
export async function writeCsvFile(
  session: { io: Io; options: OutputOptions },
  file: string,
  columns: readonly Column[],
  rows: readonly unknown[],
): Promise<void> {
  let text = ''
  const out = { write: (part: string) => (text += part), isTerminal: false, columns: () => 0 }
  const form = { isRaw: session.options.raw === true, csv: csvForm(session), style: plainStyle }
  const writer = rowWriter({ format: 'csv', out, columns, ...form })
  await writer.push(rows)
  await writer.end()
  writeOutputFile(session.io, file, text, text.slice(0, text.indexOf('\n') + 1))
}
