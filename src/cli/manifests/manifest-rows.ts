import { csvRowsMax } from '../../contract/limits.ts'
import { readCsv } from '../../domain/csv/csv-file.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { rowError, unknownSku } from '../../domain/csv/csv-row-errors.ts'
import { invalid } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import type { Session } from '../command.ts'
import { productsBySku } from '../find/by-key.ts'
import { checkLocally, type LocallyChecked } from '../imports/chunk-rows.ts'
import { sourceOfBytes } from '../imports/formats/csv-source.ts'
import type { FileKind } from '../imports/formats/file-kind.ts'
import { limitsOf, type ReadyFile, withoutGuards } from '../imports/formats/file-kind.ts'
import type { FormatOptions } from '../imports/formats/format-flags.ts'
import { readImport } from '../imports/formats/import-file.ts'
import { manifestFile } from '../imports/import-kind.ts'
import { refuseNoRows } from '../imports/plan-file.ts'

/** A manifest file that was read: never split, so it is kept whole. Rows are numbered from 1 as they are sent. */
export type ManifestRows = LocallyChecked &
  Pick<ReadyFile, 'places' | 'original' | 'separator'> & {
    header: readonly string[]
    rows: CsvRow[]
  }

/** `offline`: the catalog is not asked. */
type ReadOptions = FormatOptions & { lint?: boolean; offline?: boolean }

/** Reads a buy sheet, whatever its form. Throws `invalid` where it cannot be read for sure. */
export async function readManifestRows(
  session: Session,
  name: string,
  bytes: Buffer,
  options: ReadOptions,
): Promise<ManifestRows> {
  return readWholeFile(session, manifestFile, { name, bytes }, options)
}

/** The same for a file of another kind that is never split. */
export async function readWholeFile(
  session: Session,
  kind: FileKind,
  { name, bytes }: { name: string; bytes: Buffer },
  options: ReadOptions,
): Promise<ManifestRows> {
  return readImport(session, kind, sourceOfBytes(name, bytes), options, async (file) => {
    try {
      return await rowsOf(session, file, options)
    } finally {
      file.source.dispose()
    }
  })
}

async function rowsOf(session: Session, file: ReadyFile, options: ReadOptions): Promise<ManifestRows> {
  const { source, kind, columns, places, original, separator } = file
  const bytes = source.read(0, source.bytes)
  const limits = original === undefined ? csvUploadLimits : { ...limitsOf(file), rows: csvRowsMax }
  const { header, rows: slices } = readCsv(bytes, columns, limits)
  const placed = [...slices].flat()
  if (original === undefined) {
    for (const { row, line } of placed) places.note(row, { row, line })
    refuseNoRows(header, placed)
  }
  const unguarded = original === undefined ? withoutGuards(placed) : placed
  const { rows, unknown } = await withNames(session, file, { header, rows: unguarded }, options)
  const linted = options.lint === false ? undefined : kind
  const checked = checkLocally(header, rows, kind.checker(header, ''), linted)
  for (const error of checked.bad) {
    const sku = unknown.get(error.row)
    if (sku === undefined) continue
    const { [kind.fromCatalog ?? '']: _, ...fields } = error.fields
    Object.assign(error, rowError(error.row, error.code, { ...unknownSku(error.row, sku).fields, ...fields }))
  }
  return { ...checked, header, rows, places, original, separator }
}

/** Fills in the catalog's names for rows that have a SKU alone. `unknown`: the SKUs of rows of which it has none. */
async function withNames(
  session: Session,
  { kind, source }: ReadyFile,
  { header, rows }: { header: readonly string[]; rows: CsvRow[] },
  { offline }: ReadOptions,
): Promise<{ rows: CsvRow[]; unknown: ReadonlyMap<number, string> }> {
  const [at, skuAt] = [header.indexOf(kind.fromCatalog ?? ''), header.indexOf('sku')]
  const nameless = rows.flatMap(({ row, values }) => {
    const sku = values[skuAt]?.trim() ?? ''
    const isNameless = values.length === header.length && values[at]?.trim() === ''
    return isNameless && sku !== '' ? [[row, sku] as const] : []
  })
  const unknown = new Map(nameless)
  if (nameless.length === 0) return { rows, unknown }
  const how = `${counted(nameless.length, 'row has', 'rows have')} a SKU and no ${kind.fromCatalog}`
  if (offline)
    throw invalid(
      `${source.name}: ${how}, and with --offline the catalog is not asked.`,
      `Leave out --offline, or give these rows a ${kind.fromCatalog}.`,
    )
  const products = await productsBySku((await session.target()).client, new Set(unknown.values()))
  const filled = rows.map((row) => {
    const name = products.get(unknown.get(row.row) ?? '')?.name
    if (name === undefined) return row
    unknown.delete(row.row)
    return { ...row, values: row.values.with(at, name) }
  })
  const found = nameless.length - unknown.size
  if (found > 0) session.notice(`Took ${counted(found, kind.fromCatalog ?? '')} from the catalog.`)
  return { rows: filled, unknown }
}
