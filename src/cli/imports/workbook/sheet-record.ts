import type { PlacedRecord } from '../../../domain/csv/csv-pieces.ts'

/** A row of a sheet as text. `line`: the number that the spreadsheet shows beside it. */
export type SheetRecord = PlacedRecord & { spoiled?: readonly SpoiledCell[] }

/** A cell whose text is not surely what was meant. */
export type SpoiledCell = {
  at: number
  /** Completes "Column X ...". */
  why: string
  advice: string
  spoils: 'codes' | 'everything'
  /** The number that is shown otherwise. */
  held?: string
}
