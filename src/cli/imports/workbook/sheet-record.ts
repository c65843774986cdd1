import type { PlacedRecord } from '../../../domain/csv/csv-pieces.ts'

/** A row of a sheet as text. `line`: the number that the spreadsheet shows beside it. */
export type SheetRecord = PlacedRecord & { spoiled?: readonly SpoiledCell[] }

/** A cell whose text is not surely what was meant. `why` completes "Column X ..."; `held`: the number that is shown otherwise. */
export type SpoiledCell = { at: number; why: string; spoils: 'codes' | 'everything'; held?: string }
