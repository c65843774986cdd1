import { own } from '../../contract/own.ts'

/** How a value is shown. `id`: never shortened. `long`: shortened first if a line is too short. */
type Kind = 'text' | 'long' | 'id' | 'number' | 'time' | 'status' | 'bar'

type Shown<Row> = {
  /** The heading on a terminal, if it is not made from the name. */
  title?: string
  kind?: Kind
  /** A shorter text for people; programs get the whole value. */
  shown?: (row: Row) => string
}

/** The fields of a row, those of its parts as `item.name`. */
type FieldOf<Row> = Row extends unknown ? Paths<Row> : never
type Paths<Row> = {
  [Name in keyof Row & string]: Name | (NonNullable<Row[Name]> extends infer Part ? Below<Name, Part> : never)
}[keyof Row & string]
type Below<Name extends string, Part> = Part extends readonly unknown[] | string | number | boolean
  ? never
  : `${Name}.${keyof Part & string}`

/** One column of a list or one field of a record: a field of its row, or computed by `of`. */
export type ColumnOf<Row> = Shown<Row> &
  ({ name: FieldOf<Row> } | { name: string; of: (row: Row) => unknown })

/** A column of some row; `columnsOf` checks its name. */
export type Column = Shown<never> & { name: string; of?: (row: never) => unknown }

/** Columns of this row; a name that is no field of it does not compile. */
export function columnsOf<Row>(...columns: ReadonlyArray<ColumnOf<Row>>): readonly Column[] {
  return columns as readonly Column[]
}

/**
 * What a record shows beside its fields, as manifest lines. `isMain`: the rows that --columns is about, and as CSV the record
 * is these rows.
 */
export type Part = {
  name: string
  title: string
  columns: readonly Column[]
  isMain?: true
  /** Where they are more than what stands under `name`. */
  rows?: (record: never) => readonly unknown[]
  /** Every name that --columns may give beside those of `columns`. */
  fields?: () => readonly string[]
}

/** What a terminal shows as a bar beside each row: how many units, each part by its sign. */
export type Bar = { title: string; parts: (row: never) => BarParts }
export type BarParts = ReadonlyArray<{ sign: '█' | '▒' | '░'; units: number }>

export type View = {
  columns: readonly Column[]
  /** Shown if a table has room and its columns were not chosen. */
  bar?: Bar
  /** The columns of CSV, if such a file can be imported again. */
  csv?: readonly Column[]
  /** Every name that --columns may give beside those of `columns`: the resource's fields. */
  fields?: () => readonly string[]
  parts?: readonly Part[]
  /** A field that is never shown again, and a record to try whether a jq program prints it. */
  shownOnce?: { field: string; sample: Readonly<Record<string, unknown>> }
}

/** The value of a column in a row. */
export function cellOf(row: unknown, column: Column): unknown {
  if (column.of) return column.of(row as never)
  return valueAt(row, column.name)
}

/** The value at a path such as `item.name`; undefined if the path ends early. */
export function valueAt(row: unknown, path: string): unknown {
  let value = row
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = own(value as Record<string, unknown>, name)
  }
  return value
}

/** `intake_at` -> `INTAKE AT` */
export function headingOf(column: Column): string {
  return (column.title ?? column.name.replaceAll(/[_.]/g, ' ')).toUpperCase()
}
