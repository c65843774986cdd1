/** How a cell is read where it is not taken as it stands. */
export type Reading = 'grader' | 'country' | 'state' | 'code'

/** Where one of our cells comes from. Names are the file's own, compared without case, spaces and signs. */
export type Rule =
  | string
  /** The first of these columns that holds something. */
  | { first: readonly string[] }
  /** What these columns hold, in this order, with a space between, but for these words; `otherwise`, where that is nothing. */
  | { join: readonly string[]; without?: string; otherwise?: string }
  /** `beside`: only where that column holds something. */
  | { constant: string; beside?: string }
  /** `of`: the column of the country, which says how a state is written. */
  | { column: string | readonly string[]; as?: Reading; beside?: string; of?: string | readonly string[] }
  /** A certificate that the export has shortened: so many digits of these graders get their zeros back. */
  | { certificate: string; grader: string; padded: { from: number; to: number; graders: readonly string[] } }
  /** An order's number, with what tells its rows apart where it has several. */
  | { order: string; line: readonly string[] }

/** Rows that are not taken. `why` completes "3 rows are not taken: ...". */
export type Skip = { column: string | readonly string[]; why: string } & (
  | { is: readonly string[] }
  | { isEmpty: boolean }
)

/** How another's file becomes ours: one export of one site, as data. */
export type Preset = {
  name: string
  title: string
  kind: 'manifest' | 'products' | 'fulfillments'
  /** Columns that only this export has, together. An inner list: one of them. */
  header: ReadonlyArray<string | readonly string[]>
  columns: Readonly<Record<string, Rule>>
  skip?: readonly Skip[]
  /** Rows with the same value follow one another; what stands on the first holds for all. A row without `item` is none. */
  group?: { by: string; fill: readonly string[]; item?: string }
  /** What stands for nothing. */
  absent?: string
  /** Of the lines that are no rows, words of their first two cells. */
  trailer?: readonly string[]
  /** Why it cannot be read. */
  refused?: string
}
