import { own } from '../../contract/own.ts'
import type { FieldName } from '../base/schema-fields.ts'

/** `id`: never shortened. `long`: shortened first if a line is too narrow. */
type Kind = 'text' | 'long' | 'id' | 'number' | 'time' | 'status' | 'bar'

type Shown<Row> = {
  title?: string
  kind?: Kind
  /** A shorter text for people; programs get the whole value. */
  shown?: (row: Row) => string
}

/** Includes nested fields such as `item.name`. */
type FieldOf<Row> = Row extends unknown ? Paths<Row> : never
type Paths<Row> = {
  [Name in keyof Row & string]: Name | (NonNullable<Row[Name]> extends infer Part ? Below<Name, Part> : never)
}[keyof Row & string]
type Below<Name extends string, Part> = Part extends readonly unknown[] | string | number | boolean
  ? never
  : `${Name}.${keyof Part & string}`

/** A name alone is a column without anything special. */
export type ColumnOf<Row> =
  | FieldOf<Row>
  | (Shown<Row> & ({ name: FieldOf<Row> } | { name: string; of: (row: Row) => unknown }))

declare const checked: unique symbol

/** A column of any row: a literal does not compile, since only `columnsOf` checks its name. */
export type Column = Shown<never> & { name: string; of?: (row: never) => unknown; [checked]: true }

/** A name that is not a field of the row does not compile. Without a kind, the name decides. */
export function columnsOf<Row>(...columns: ReadonlyArray<ColumnOf<Row>>): readonly Column[] {
  const whole = columns.map((column) => (typeof column === 'string' ? { name: column } : column))
  return whole.map((column) => ({ ...kindNamed(column.name), ...column }) as unknown as Column)
}

export function kindNamed(name: string): { kind?: 'status' | 'time' } {
  if (name === 'status') return { kind: 'status' }
  return name.endsWith('_at') ? { kind: 'time' } : {}
}

/** Names for `fields`; one that is not a field of the row does not compile. */
export function fieldsOf<Row>(...names: ReadonlyArray<FieldOf<Row>>): readonly FieldName[] {
  return names as readonly string[] as readonly FieldName[]
}

/** Rows that a record has next to its fields. `isMain`: --columns applies to them, and CSV has only them. */
export type Part = {
  name: string
  title: string
  columns: readonly Column[]
  isMain?: true
  /** If the rows are more than those under `name`. */
  rows?: (record: never) => readonly unknown[]
  fields?: () => readonly FieldName[]
}

/** Drawn next to each row on a terminal; each part of the bar has its sign. */
export type Bar = { title: string; parts: (row: never) => BarParts }
export type BarParts = ReadonlyArray<{ sign: '█' | '▒' | '░'; units: number }>

export type View = {
  columns: readonly Column[]
  /** Shown if the table has room and its columns were not chosen. */
  bar?: Bar
  /** If the CSV file can be imported again. */
  csv?: readonly Column[]
  /** Further names that --columns accepts: the resource's fields. */
  fields?: () => readonly FieldName[]
  parts?: readonly Part[]
  /** A field that is shown only once, and a record to test whether a jq program prints it. */
  shownOnce?: { field: string; sample: Readonly<Record<string, unknown>> }
}

export function cellOf(row: unknown, column: Column): unknown {
  if (column.of) return column.of(row as never)
  return valueAt(row, column.name)
}

/** Undefined if the path ends early. */
export function valueAt(row: unknown, path: string): unknown {
  let value = row
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = own(value as Record<string, unknown>, name)
  }
  return value
}

export function headingOf(column: Column): string {
  return (column.title ?? column.name.replaceAll(/[_.]/g, ' ')).toUpperCase()
}
