import { type PlacedRecord, pushRecords, startPieces } from '../../../domain/csv/csv-pieces.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Session } from '../../command.ts'
import type { CsvSource } from './csv-source.ts'
import type { FileKind } from './file-kind.ts'
import { withAdvice } from './file-refusal.ts'
import type { FormatOptions } from './format-flags.ts'
import type { ReadyFile } from './ready-file.ts'
import { rowPlaces } from './row-places.ts'

/** Enough bytes for a header of ours. */
const headBytes = 8192

/**
 * Reads a file: as it is if it has our form, else converted, as also where it turns out to be in no form of ours on the way.
 * The refusal of a file has its name and what can be done.
 */
export async function readImport<Kind extends FileKind, Result>(
  session: Session,
  kind: Kind,
  source: CsvSource,
  options: FormatOptions,
  read: (file: ReadyFile<Kind>) => Promise<Result>,
): Promise<Result> {
  const plain = plainFile(kind, source, options)
  try {
    if (plain !== undefined) return await read(plain)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  const { prepare } = await import('./prepare.ts')
  const prepared = await prepare(session, kind, source, options)
  try {
    return await read(prepared)
  } catch (error) {
    throw withAdvice(error, source.name)
  }
}

/** The file if it already has our form: UTF-8, commas, our columns, and no flag that says otherwise. */
function plainFile<Kind extends FileKind>(
  kind: Kind,
  source: CsvSource,
  options: FormatOptions,
): ReadyFile<Kind> | undefined {
  if (!isPlain(kind, source, options)) return undefined
  const columns = { ...kind.columns, ignored: kind.marks }
  return { source, kind, columns, places: rowPlaces(), original: undefined, separator: ',', isShop: false }
}

function isPlain({ columns, marks }: FileKind, source: CsvSource, options: FormatOptions): boolean {
  const { map, ignoreColumns, from, set, delimiter, encoding, sheet, saveMap } = options
  const flags = [map, ignoreColumns, from, set, delimiter, encoding, sheet, saveMap]
  if (flags.some((flag) => flag !== undefined)) return false
  const header = firstRecord(source.read(0, Math.min(source.bytes, headBytes)))
  if (header === undefined) return false
  const names = header.values.map((name) => name.trim().toLowerCase())
  const known = [...columns.known, ...marks]
  return (
    new Set(names).size === names.length &&
    names.every((name) => known.includes(name)) &&
    columns.required.every((name) => names.includes(name))
  )
}

function firstRecord(head: Buffer): PlacedRecord | undefined {
  try {
    return pushRecords(startPieces(), head).find(({ values }) => values.join('').trim() !== '')
  } catch {
    return undefined
  }
}
