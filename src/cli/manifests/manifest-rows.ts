import { csvRowsMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { readCsv } from '../../domain/csv/csv-file.ts'
import { csvUploadLimits } from '../../domain/csv/csv-limits.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { rowError, unknownSku } from '../../domain/csv/csv-row.ts'
import { invalid } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import type { Session } from '../command.ts'
import { sourceOfBytes } from '../files/csv-source.ts'
import { type FileKind, limitsOf, type ReadyFile } from '../files/file-kind.ts'
import type { FormatOptions } from '../files/format-flags.ts'
import { readImport } from '../files/import-file.ts'
import { productsBySku } from '../find/by-key.ts'
import { checkLocally, type LocallyChecked } from '../imports/chunk-rows.ts'
import { readyRows } from '../imports/plan-file.ts'

/** Kept whole, because a manifest is never split. Rows are numbered from 1, as they are sent. */
export type ManifestRows<Row = unknown> = LocallyChecked<Row> &
  Pick<ReadyFile, 'places' | 'original' | 'separator' | 'skipped'> & {
    header: readonly string[]
    rows: readonly CsvRow[]
  }

/** `offline`: does not query the catalog. */
type ReadOptions = FormatOptions & { lint?: boolean; offline?: boolean }

/** Throws `invalid` if the form is not certain. */
export async function readWholeFile<Row>(
  session: Session,
  kind: FileKind<Row>,
  { name, bytes }: { name: string; bytes: Buffer },
  options: ReadOptions,
): Promise<ManifestRows<Row>> {
  return readImport(session, kind, sourceOfBytes(name, bytes), options, async (file) => {
    try {
      return await rowsOf(session, file, options)
    } finally {
      file.source.dispose()
    }
  })
}

async function rowsOf<Row>(
  session: Session,
  file: ReadyFile<FileKind<Row>>,
  options: ReadOptions,
): Promise<ManifestRows<Row>> {
  const { source, kind, columns, places, original, separator, skipped } = file
  const bytes = source.read(0, source.bytes)
  const limits = original === undefined ? csvUploadLimits : { ...limitsOf(file), rows: csvRowsMax }
  const { header, rows: given } = readCsv(bytes, columns, limits)
  const rows: readonly CsvRow[] = readyRows(file, header, given)
  const check = (some: readonly CsvRow[]) =>
    checkLocally(header, some, kind.checker(header), options.lint === false ? undefined : kind)
  const read = { header, places, original, separator, skipped }
  const checked = check(rows)
  const nameless = namelessRows(file, header, rows, checked.bad)
  if (nameless.size === 0) return { ...checked, ...read, rows }
  const names = await catalogNames(session, file, nameless, options)
  const at = header.indexOf(kind.fromCatalog ?? '')
  const filled = rows.map((row) => {
    const name = names.get(nameless.get(row.row) ?? '')
    return name === undefined ? row : { ...row, values: row.values.with(at, name) }
  })
  const again = check(filled)
  for (const error of again.bad) {
    const sku = nameless.get(error.row)
    if (sku === undefined || names.has(sku)) continue
    const { [kind.fromCatalog ?? '']: _, ...fields } = error.fields
    Object.assign(error, rowError(error.row, error.code, { ...unknownSku(error.row, sku).fields, ...fields }))
  }
  return { ...again, ...read, rows: filled }
}

function namelessRows(
  { kind: { fromCatalog } }: ReadyFile,
  header: readonly string[],
  rows: readonly CsvRow[],
  bad: readonly CsvRowError[],
): Map<number, string> {
  const [at, skuAt] = [header.indexOf(fromCatalog ?? ''), header.indexOf('sku')]
  const lacking = new Set(bad.flatMap(({ row, fields }) => (fromCatalog && fields[fromCatalog] ? [row] : [])))
  const skus = rows.flatMap(({ row, values }) => {
    const isNameless = lacking.has(row) && values[at]?.trim() === ''
    const sku = isNameless ? (values[skuAt]?.trim() ?? '') : ''
    return sku === '' ? [] : [[row, sku] as const]
  })
  return new Map(skus)
}

/** Throws `invalid` if the catalog may not be queried. */
async function catalogNames(
  session: Session,
  { kind: { fromCatalog = '' }, source }: ReadyFile,
  nameless: ReadonlyMap<number, string>,
  { offline }: ReadOptions,
): Promise<Map<string, string>> {
  if (offline)
    throw invalid(
      `${source.name}: ${counted(nameless.size, 'row has', 'rows have')} a SKU and no ${fromCatalog}, and with --offline the catalog is not asked.`,
      `Leave out --offline, or give these rows a ${fromCatalog}.`,
    )
  const products = await productsBySku((await session.target()).client, new Set(nameless.values()))
  const found = [...nameless.values()].filter((sku) => products.has(sku)).length
  if (found > 0) session.notice(`Took ${counted(found, fromCatalog)} from the catalog.`)
  return new Map([...products].map(([sku, { name }]) => [sku, name]))
}
