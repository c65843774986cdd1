import { csvRowsMax } from '../../contract/limits.ts'
import { readCsv } from '../../domain/csv/csv-file.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import type { Session } from '../command.ts'
import { checkLocally, type LocallyChecked } from '../imports/chunk-rows.ts'
import { sourceOfBytes } from '../imports/formats/csv-source.ts'
import type { FileKind } from '../imports/formats/file-kind.ts'
import { limitsOf, type ReadyFile, withoutGuards } from '../imports/formats/file-kind.ts'
import type { FormatOptions } from '../imports/formats/format-flags.ts'
import { readImport } from '../imports/formats/import-file.ts'
import { manifestFile } from '../imports/import-kind.ts'
import type { ImportOptions } from '../imports/import-options.ts'
import { refuseNoRows } from '../imports/plan-file.ts'

/** A manifest file that was read: never split, so it is kept whole. Rows are numbered from 1 as they are sent. */
export type ManifestRows = LocallyChecked &
  Pick<ReadyFile, 'places' | 'original' | 'separator'> & {
    header: readonly string[]
    rows: CsvRow[]
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
  return readImport(session, kind, sourceOfBytes(name, bytes), options, async (file) => {
    try {
      return rowsOf(file, options)
    } finally {
      file.source.dispose()
    }
  })
}

function rowsOf(file: ReadyFile, { lint }: Pick<ImportOptions, 'lint'>): ManifestRows {
  const { source, kind, columns, places, original, separator } = file
  const bytes = source.read(0, source.bytes)
  const limits = original === undefined ? csvUploadLimits : { ...limitsOf(file), rows: csvRowsMax }
  const { header, rows: slices } = readCsv(bytes, columns, limits)
  const placed = [...slices].flat()
  if (original === undefined) {
    for (const { row, line } of placed) places.note(row, { row, line })
    refuseNoRows(header, placed)
  }
  const rows = original === undefined ? withoutGuards(placed) : placed
  const checked = checkLocally(header, rows, kind.checker(header, ''), lint === false ? undefined : kind)
  return { ...checked, header, rows, places, original, separator }
}
