import type { CsvColumns } from './csv-header.ts'
import { type CsvLimits, checkSize, checkText, csvUploadLimits } from './csv-limits.ts'
import { type CsvReader, openCsv, type PlacedRow } from './csv-reading.ts'

/** Bytes per slice: a few milliseconds of work. */
const sliceBytes = 64 * 1024

/** Throws `invalid` (decisions 5). */
export function readCsv(bytes: Uint8Array, columns: CsvColumns, limits?: CsvLimits) {
  const { header, slices } = sliceCsv(bytes, columns, limits)
  const rows = [...slices].flat()
  return { header: header() ?? [], rows }
}

/** The header is read before the first row. A later slice may still throw, so read all of them before writing. */
export function sliceCsv(
  bytes: Uint8Array,
  columns: CsvColumns,
  limits: CsvLimits = csvUploadLimits,
): { header: CsvReader['header']; slices: Generator<PlacedRow[], void, undefined> } {
  checkSize(bytes.length, limits)
  checkText(bytes)
  const reader = openCsv(columns, limits)
  return { header: reader.header, slices: readSlices(reader, bytes) }
}

function* readSlices(reader: CsvReader, bytes: Uint8Array): Generator<PlacedRow[], void, undefined> {
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    yield reader.push(bytes.subarray(from, from + sliceBytes))
  }
  yield reader.end()
}
