import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { Session } from '../command.ts'
import { checkedChunk } from './chunk-rows.ts'
import type { FileKind } from './formats/file-kind.ts'
import { repeatFinder } from './repeats.ts'
import type { Sending } from './send-chunk.ts'

/**
 * Prints the rows of a file that would be sent, in our columns. `today`: a UTC date. `isLeftOut`: by the number of a row that is
 * good in itself.
 */
export async function printOurRows(
  session: Session,
  file: Pick<Sending, 'source' | 'plan' | 'kind' | 'columns' | 'original' | 'useLint'>,
  today: string,
  isLeftOut: (row: number) => boolean = () => false,
): Promise<void> {
  const { kind } = file
  const { header, chunks } = file.plan
  const print = await rowPrinter(session, kind, header)
  const repeats = kind.unique === undefined ? () => [] : repeatFinder(kind.unique)
  for (const chunk of chunks) {
    const { good } = checkedChunk(file, chunk, today)
    const repeated = new Set(repeats(good, header).map(({ row }) => row))
    await print(good.filter(({ row }) => !repeated.has(row) && !isLeftOut(row)))
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
