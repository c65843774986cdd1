import { csvColumnsMax } from '../../../contract/limits.ts'
import {
  endRecords,
  type PlacedRecord,
  pushRecords,
  type Separator,
  startPieces,
} from '../../../domain/csv/csv-pieces.ts'
import type { Session } from '../../command.ts'
import { createProgress } from '../../output/progress.ts'
import type { SheetRecord } from '../workbook/read-sheet.ts'
import { type CsvSource, firstRecords, headerWithin, rejectionOf } from './csv-source.ts'
import { decoded, encodingOf } from './encoding.ts'
import { withoutGuards } from './file-kind.ts'
import type { FormatFlags } from './format-flags.ts'

export type Table = {
  name: string
  encoding: string | undefined
  separators: readonly Separator[]
  first(separator: Separator): PlacedRecord[]
  records(separator: Separator): AsyncIterable<readonly SheetRecord[]>
}

const headBytes = 64 * 1024

/** Recognises the format by its first bytes. Throws `invalid` if the file cannot be read with certainty. */
export async function openTable(session: Session, source: CsvSource, flags: FormatFlags): Promise<Table> {
  const beginning = source.read(0, Math.min(source.bytes, 8)).toString('latin1')
  if (
    beginning.startsWith('PK\u0003\u0004') ||
    beginning === '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'
  )
    return workbookTable(session, source, flags)
  // The file of a workbook's failed rows is CSV, and is imported with the same flags.
  if (flags.sheet !== undefined) session.notice(`${source.name} is not a workbook: --sheet has no effect.`)
  const encoding = await encodingOf(session, source, flags.encoding)
  const head = await firstBytes(source, encoding)
  return {
    name: source.name,
    encoding,
    separators: flags.separator === undefined ? [',', ';', '\t'] : [flags.separator],
    first: (separator) => withoutGuards(firstRecords(separator, head)),
    records: (separator) => recordsOf(session, source, encoding, startPieces(separator)),
  }
}

/** Imported on demand, because the workbook library is larger than everything that lists need. */
async function workbookTable(
  session: Session,
  { name, bytes, read }: CsvSource,
  flags: FormatFlags,
): Promise<Table> {
  const { readSheet } = await import('../workbook/read-sheet.ts')
  const records = withoutGuards(await readSheet(session, name, read(0, bytes), flags))
  const widest = records.reduce((most, { values }) => Math.max(most, values.length), 0)
  const width = Math.min(widest, csvColumnsMax)
  const padded = (record: SheetRecord): SheetRecord => {
    const lacking = Math.max(0, width - record.values.length)
    return { ...record, values: [...record.values, ...Array<string>(lacking).fill('')] }
  }
  return {
    name,
    encoding: undefined,
    separators: [','],
    first: () => records.slice(0, headerWithin).map(padded),
    // One at a time: a single cell far to the right makes every row wide.
    async *records() {
      for (const record of records) yield [padded(record)]
    },
  }
}

async function firstBytes(source: CsvSource, encoding: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of decoded(source, encoding)) {
    pieces.push(piece)
    size += piece.length
    if (size >= headBytes) break
  }
  return Buffer.concat(pieces)
}

async function* recordsOf(
  session: Session,
  source: CsvSource,
  encoding: string,
  pieces: ReturnType<typeof startPieces>,
) {
  const progress = createProgress(session.io, 'reading')
  try {
    for await (const piece of decoded(source, encoding)) {
      yield withoutGuards(pushRecords(pieces, piece))
      await progress.update(Math.min(pieces.bytes, source.bytes), source.bytes, 'bytes')
    }
    yield withoutGuards(endRecords(pieces))
  } catch (error) {
    throw rejectionOf(error, source.name)
  } finally {
    progress.end()
  }
}
