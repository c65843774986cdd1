import { createHash } from 'node:crypto'
import { csvRowsMax } from '../../contract/limits.ts'
import { fileFault } from '../../domain/csv/csv-fault.ts'
import { readCsv } from '../../domain/csv/csv-file.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Session } from '../command.ts'
import { checkLocally, type LocallyChecked } from '../imports/check-rows.ts'
import { sourceOfBytes } from '../imports/formats/csv-source.ts'
import type { FileKind } from '../imports/formats/file-kind.ts'
import { withAdvice } from '../imports/formats/file-refusal.ts'
import type { FormatOptions } from '../imports/formats/format-options.ts'
import { plainFile, preparedFile } from '../imports/formats/import-file.ts'
import { withoutGuards } from '../imports/formats/own-marks.ts'
import { limitsOf, type ReadyFile } from '../imports/formats/ready-file.ts'
import { manifestFile } from '../imports/import-kind.ts'
import type { ImportOptions } from '../imports/import-options.ts'

/** A manifest file that was read: never split, so it is kept whole. Rows are numbered from 1 as they are sent. */
export type ManifestRows = LocallyChecked &
  Pick<ReadyFile, 'places' | 'original' | 'separator'> & {
    header: readonly string[]
    rows: CsvRow[]
    sha256: string
  }

/** Reads a buy sheet, whatever its form. Throws `invalid` where it cannot be read for sure. */
export async function readManifestRows(
  session: Session,
  name: string,
  bytes: Buffer,
  options: ImportOptions,
): Promise<ManifestRows> {
  return readWholeFile(session, manifestFile, { name, bytes }, options)
}

/** The same for a file of another kind that is never split. */
export async function readWholeFile(
  session: Session,
  kind: FileKind,
  { name, bytes }: { name: string; bytes: Buffer },
  options: Pick<ImportOptions, 'lint'> & FormatOptions,
): Promise<ManifestRows> {
  const source = sourceOfBytes(name, bytes)
  const plain = plainFile(kind, source, options)
  if (plain !== undefined) {
    try {
      return rowsOf(plain, bytes, options)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  const prepared = await preparedFile(session, kind, source, options)
  try {
    return rowsOf(prepared, prepared.source.read(0, prepared.source.bytes), options)
  } catch (error) {
    throw withAdvice(error, name)
  } finally {
    prepared.source.dispose()
  }
}

function rowsOf(file: ReadyFile, bytes: Buffer, { lint }: Pick<ImportOptions, 'lint'>): ManifestRows {
  const { kind, columns, places, original, separator } = file
  const limits = original === undefined ? csvUploadLimits : { ...limitsOf(file), rows: csvRowsMax }
  const { header, rows: slices } = readCsv(bytes, columns, limits)
  const placed = [...slices].flat()
  if (original === undefined) {
    for (const { row, line } of placed) places.note(row, { row, line })
    if (placed.some(({ values }) => values.every((value) => value.trim() === '')))
      throw fileFault('has empty rows')
  }
  const rows = withoutGuards(kind, header, placed)
  const checked = checkLocally(header, rows, kind.checker(header, ''), lint === false ? [] : kind.codes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ...checked, header, rows, places, original, separator, sha256 }
}
