import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Located } from './formats/located.ts'
import type { Lint } from './lint.ts'

/** Rows of one chunk, as long as it is not the last. */
export const chunkRows = 5000

/** Bytes after which a chunk ends however few its rows: below what one upload may have (decisions 5). */
export const chunkBytes = 16 * 1024 * 1024

/** Where a chunk stands in the file: from byte `from` to before byte `to`, and its rows by their ordinals. */
export type PlannedChunk = { from: number; to: number; firstRow: number; rows: number; bad: number }

/** A file that was read from end to end: nothing is wrong with it as a whole. */
export type FilePlan = {
  sha256: string
  header: readonly string[]
  rows: number
  /** Rows that failed the local check, and the first of them. */
  bad: number
  firstBad: Located<CsvRowError>[]
  warnings: Located<Lint>[]
  chunks: PlannedChunk[]
}
