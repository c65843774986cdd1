import type { Io } from '../base/io.ts'
import { plainStyle } from '../base/style.ts'
import type { Column } from './columns.ts'
import type { CsvForm } from './format.ts'
import { writeOutputFile } from './output-file.ts'
import { rowWriter } from './row-writer.ts'

/** Safe to open in a spreadsheet. Throws `usage` if the file cannot be written, or has other columns. */
export async function writeCsvFile(
  io: Io,
  file: string,
  columns: readonly Column[],
  rows: readonly unknown[],
  { isRaw, csv }: { isRaw: boolean; csv: CsvForm },
): Promise<void> {
  let text = ''
  const out = { write: (part: string) => (text += part), isTerminal: false, columns: () => 0 }
  const writer = rowWriter({ format: 'csv', out, columns, isRaw, csv, style: plainStyle })
  await writer.push(rows)
  await writer.end()
  writeOutputFile(io, file, text, text.slice(0, text.indexOf('\n') + 1))
}
