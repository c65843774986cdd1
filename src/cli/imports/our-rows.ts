import { openCsv } from '../../domain/csv/csv-file.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { Session } from '../command.ts'
import type { FileKind } from './formats/file-kind.ts'
import { faultColumn } from './formats/prepare.ts'
import type { ReadyFile } from './formats/ready-file.ts'

/** Prints the rows of a file in our columns, as they would be sent. */
export async function printOurRows(session: Session, { source, kind, columns }: ReadyFile): Promise<void> {
  const noLimit = Number.POSITIVE_INFINITY
  const reader = openCsv(columns, { ...csvUploadLimits, rows: noLimit, fileBytes: noLimit })
  let print: ((rows: readonly CsvRow[]) => Promise<void>) | undefined
  const push = async (rows: readonly CsvRow[]): Promise<void> => {
    const header = reader.header()
    if (header === null) return
    print ??= await rowPrinter(session, kind, header)
    await print(rows)
  }
  for await (const piece of source.pieces()) await push(reader.push(piece))
  await push(reader.end())
}

/** The same for rows in memory. */
export async function printRows(
  session: Session,
  kind: FileKind,
  header: readonly string[],
  rows: readonly CsvRow[],
): Promise<void> {
  await (await rowPrinter(session, kind, header))(rows)
}

/** Leaves out what is not a row, such as a line of sums. */
async function rowPrinter(session: Session, { columns }: FileKind, header: readonly string[]) {
  const fault = header.indexOf(faultColumn)
  const there = columns.known.filter((name) => header.includes(name))
  const writer = (await session.printer()).list({
    columns: there.map((name) => {
      return { name, of: (values: readonly string[]) => values[header.indexOf(name)] ?? '' }
    }),
  })
  return (rows: readonly CsvRow[]) =>
    writer.push(rows.map(({ values }) => values).filter((values) => (values[fault] ?? '') === ''))
}
