import { Rejection } from '../../domain/rejection.ts'
import type { Session } from '../command.ts'
import { type CsvSource, firstRecords, rejectionOf } from './csv-source.ts'
import { type FileKind, type ReadyFile, rowPlaces } from './file-kind.ts'
import type { FormatOptions } from './format-flags.ts'

const headBytes = 8192

/** Reads a file in custody's own form as it is. Converts any other, even if the difference appears late in the file. */
export async function readImport<Kind extends FileKind, Result>(
  session: Session,
  kind: Kind,
  source: CsvSource,
  options: FormatOptions,
  read: (file: ReadyFile<Kind>) => Promise<Result>,
): Promise<Result> {
  if (isPlain(kind, source, options)) {
    const form = {
      source,
      kind,
      columns: { ...kind.columns, ignored: kind.marks },
      places: rowPlaces(),
      original: undefined,
      separator: ',',
      isShop: false,
      skipped: {},
    } as const
    try {
      return await read(form)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
    }
  }
  const { prepare } = await import('./prepare.ts')
  const prepared = await prepare(session, kind, source, options)
  try {
    return await read(prepared)
  } catch (error) {
    throw rejectionOf(error, source.name)
  }
}

function isPlain({ columns, marks }: FileKind, source: CsvSource, options: FormatOptions): boolean {
  const { map, ignoreColumns, from, set, delimiter, encoding, sheet, saveMap } = options
  const flags = [map, ignoreColumns, from, set, delimiter, encoding, sheet, saveMap]
  if (flags.some((flag) => flag !== undefined)) return false
  const first = firstRecords(',', source.read(0, Math.min(source.bytes, headBytes)))
  const header = first.find(({ values }) => values.join('').trim() !== '')
  const names = header?.values.map((name) => name.trim().toLowerCase()) ?? ['']
  const known = [...columns.known, ...marks]
  return (
    new Set(names).size === names.length &&
    names.every((name) => known.includes(name)) &&
    columns.required.every((name) => names.includes(name))
  )
}
