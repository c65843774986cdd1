import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { Session } from '../command.ts'
import { type CheckedFile, rowsOfChunk } from './chunk-rows.ts'
import type { FileKind } from './formats/file-kind.ts'
import type { RowPlaces } from './formats/row-places.ts'
import type { ChunkedKind } from './import-kind.ts'
import type { FilePlan } from './plan-file.ts'
import { goodRows } from './send-chunk.ts'
import { rowsOfBadOrders } from './ship-orders.ts'

/** Prints the rows of a file that would be sent, in our columns. `today`: a UTC date. */
export async function printOurRows(
  session: Session,
  file: CheckedFile<ChunkedKind> & { places: RowPlaces; plan: FilePlan },
  today: string,
): Promise<void> {
  const { kind, header, plan } = file
  const print = await rowPrinter(session, kind, header)
  for (const chunk of plan.chunks) {
    const rows = rowsOfChunk(file, chunk)
    const left = plan.orders === undefined ? new Set() : rowsOfBadOrders(file, chunk, today)
    await print(goodRows(file, rows, today).good.filter(({ row }) => !left.has(row)))
  }
}

/** The same for rows in memory, all of which would be sent. */
export async function printRows(
  session: Session,
  kind: FileKind,
  header: readonly string[],
  rows: readonly CsvRow[],
): Promise<void> {
  await (await rowPrinter(session, kind, header))(rows)
}

async function rowPrinter(session: Session, { columns }: FileKind, header: readonly string[]) {
  const there = columns.known.filter((name) => header.includes(name))
  const printer = await session.printer({
    columns: there.map((name) => {
      return { name, of: (values: readonly string[]) => values[header.indexOf(name)] ?? '' }
    }),
  })
  const writer = printer.list()
  return (rows: readonly CsvRow[]) => writer.push(rows.map(({ values }) => values))
}
