import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import { type CsvLimits, csvUploadLimits } from '../../../domain/csv/csv-limits.ts'
import type { Separator } from '../../../domain/csv/csv-pieces.ts'
import type { CsvSource } from './csv-source.ts'
import type { FileKind } from './file-kind.ts'
import type { RowPlaces } from './row-places.ts'

/** A file in our columns, as it was given or converted. */
export type ReadyFile<Kind extends FileKind = FileKind> = {
  source: CsvSource
  kind: Kind
  columns: CsvColumns
  places: RowPlaces
  /** The columns of the operator's own file and where each stands in a row; undefined where they are ours. */
  original: readonly OriginalColumn[] | undefined
  /** The separator of the operator's own file. */
  separator: Separator
  /** The orders of a shop, each of which is one parcel. */
  isShop: boolean
}

export type OriginalColumn = { name: string; at: number }

const noLimit = Number.POSITIVE_INFINITY

/** What is judged of a file that is sent in parts. A converted one has columns that are not sent; of ours each cell is checked. */
export function limitsOf({ original }: Pick<ReadyFile, 'original'>): CsvLimits {
  const fieldBytes = original === undefined ? csvUploadLimits.fieldBytes : noLimit
  return { fileBytes: noLimit, rows: noLimit, fieldBytes }
}
