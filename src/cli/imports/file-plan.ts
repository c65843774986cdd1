import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Located } from './formats/located.ts'
import type { Lint } from './lint.ts'

/** Rows of every chunk but the last. */
export const chunkRows = 5000

/** Bytes after which a chunk ends even with few rows: less than the limit of one upload (decisions 5). */
export const chunkBytes = 16 * 1024 * 1024

/** The place of a chunk in the file: bytes `from` up to but not including `to`, and its rows by their numbers. */
export type PlannedChunk = { from: number; to: number; firstRow: number; rows: number; bad: number }

/** A file that was read from end to end and is sound as a whole. */
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
