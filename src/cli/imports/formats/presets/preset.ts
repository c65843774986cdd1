/** How a cell is converted, if it is. */
export type Reading = 'grader' | 'country' | 'state' | 'code'

/** Where one of our cells comes from. Names are the file's own, compared without case, spaces and punctuation. */
export type Rule =
  | string
  /** The first of these columns that is not empty. */
  | { first: readonly string[] }
  /** These columns joined by spaces, without these words; `otherwise` if that is empty. */
  | { join: readonly string[]; without?: string; otherwise?: string }
  /** `beside`: only if that column is not empty. */
  | { constant: string; beside?: string }
  /** `of`: the column of the country, which says how a state is written; `city`: the one that stands in if the country has none. */
  | {
      column: string | readonly string[]
      as?: Reading
      beside?: string
      of?: string | readonly string[]
      city?: string | readonly string[]
    }
  /** A certificate that the export has shortened: so many digits of these graders get their zeros back. */
  | { certificate: string; grader: string; padded: { from: number; to: number; graders: readonly string[] } }

/** The words of a status that plainly asks for shipping, or that a cell must be filled, else the order is of the status `lacking`. */
export type ShipStatus = { column: string } & (
  | { ships: readonly string[]; lacking?: undefined }
  | { lacking: string }
)

/** Rows that are left out. `why` completes "3 rows are not taken: ...". */
export type Skip = {
  column: string | readonly string[]
  why: string
} /** `unless`: what else there may be. */ & (
  | { is: readonly string[]; unless?: readonly string[] }
  | { isEmpty: boolean }
)

/** How one export of one site becomes our columns, as data. */
export type Preset = {
  name: string
  title: string
  kind: 'manifest' | 'products' | 'fulfillments'
  /** Columns that only this export has, together. An inner list: one of them. */
  header: ReadonlyArray<string | readonly string[]>
  columns: Readonly<Record<string, Rule>>
  skip?: readonly Skip[]
  /** Rows of another status fail, unless --ship-status accepts it. */
  status?: readonly ShipStatus[]
  /**
   * Rows with the same value follow one another, and what the first has in `fill` counts for all. A row that has none of `item` is
   * of the whole order, and left out.
   */
  group?: { by: string; fill: readonly string[]; item?: readonly string[] }
  /** The text that means an empty cell. */
  absent?: string
  /** Words in the first two cells of lines that are not rows. */
  trailer?: readonly string[]
  /** Why it cannot be read. */
  refused?: string
}
