import { orderLinesMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { quoted } from '../../domain/csv/csv-header.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { rowError } from '../../domain/csv/csv-row-errors.ts'
import { type FulfillmentRow, summedItems } from '../../domain/fulfillments/fulfillment-csv.ts'
import type { FieldErrors } from '../../domain/rejection.ts'
import { rowsNamed } from '../base/counted.ts'
import { createKeySet } from '../connection/key-set.ts'
import type { LocallyChecked } from './chunk-rows.ts'
import type { ChunkedKind, Identity } from './import-kind.ts'

export type SharedRows = {
  failed: ReadonlyMap<number, CsvRowError>
  /** With --combine: the earlier row that includes this one. */
  combined: ReadonlyMap<number, number>
  added: ReadonlyMap<number, number>
}

/** Must handle files of millions of rows. */
export type SharedRowsFinder = {
  add(header: readonly string[], rows: readonly CsvRow[], checked: LocallyChecked): void
  end(): SharedRows
}

/** Rows of one identity all fail, or --combine sums them. Includes bad rows: once corrected, one would pass for a repeat. */
export function equalRows(
  kind: Pick<ChunkedKind, 'identity' | 'summed'>,
  isCombined: boolean,
): SharedRowsFinder {
  const seen = createKeySet()
  const groups = new Map<number, Identity & { rows: number[] }>()
  const [combined, added] = [new Map<number, number>(), new Map<number, number>()]
  const isAdded = (row: number, value: unknown): boolean => {
    const sum = isCombined ? kind.summed?.(value) : undefined
    const first = sum && seen.number(`sum ${sum.text}`, row)
    if (sum === undefined || first === undefined) return false
    combined.set(row, first)
    added.set(first, (added.get(first) ?? 0) + sum.quantity)
    return true
  }
  const note = (row: number, value: unknown): void => {
    const identity = kind.identity(value)
    const first = seen.number(identity.text, row)
    if (first === undefined) return
    const group = groups.get(first) ?? { ...identity, rows: [first] }
    group.rows.push(row)
    groups.set(first, group)
  }
  return {
    add(_, _rows, { accepted, readable }) {
      for (const { row, value } of accepted) if (!isAdded(row, value)) note(row, value)
      for (const { row, value } of readable) note(row, value)
    },
    end() {
      const failed = new Map<number, CsvRowError>()
      for (const { field, fault, remedy, rows } of groups.values()) {
        const advice =
          remedy === 'keep'
            ? 'keep one of them'
            : isCombined
              ? 'give each its own reference, or make them equal, so that they are added up'
              : 'give each its own reference, or add up equal rows with --combine'
        for (const row of rows) {
          // All of a file's rows may be equal.
          const others = rows.slice(0, 6).filter((other) => other !== row)
          const named = rowsNamed(others, rows.length - 1)
          failed.set(row, faultOf(row, { [field]: [`${fault} also in ${named}: ${advice}`] }))
        }
      }
      for (const [row, first] of combined) {
        const fault = failed.get(first)
        if (fault === undefined) continue
        failed.set(row, { ...fault, row })
        combined.delete(row)
      }
      return { failed, combined, added }
    },
  }
}

/** All rows of an order stay in one chunk. */
const orderRowsMax = 5000

type Order = { reference: string; rows: number[]; bad: number[]; values: FulfillmentRow[] }

/** Rows of an order follow one another and are one parcel: if one fails, all do. */
export function ordersOf(): SharedRowsFinder {
  const seen = createKeySet()
  const [failed, bad] = [new Map<number, CsvRowError>(), new Set<number>()]
  const starts: number[] = []
  const apart: Array<[one: number, other: number, reference: string]> = []
  let order: Order = { reference: '', rows: [], bad: [], values: [] }
  let next = 1
  const fail = (rows: readonly number[], fault: string | FieldErrors): void => {
    for (const row of rows) if (!bad.has(row)) failed.set(row, faultOf(row, fault))
  }
  const close = (): void => {
    const fault = order.rows.length === 0 ? undefined : orderFault(order)
    if (fault !== undefined) fail(order.rows, fault)
  }
  const start = (row: number, reference: string): void => {
    close()
    order = { reference, rows: [], bad: [], values: [] }
    const at = starts.push(row) - 1
    const earlier = reference === '' ? undefined : seen.number(reference, at)
    if (earlier !== undefined) apart.push([earlier, at, reference], [at, earlier, reference])
  }
  const rowsOf = (at: number): number[] => {
    const [first = 0, end = next] = starts.slice(at, at + 2)
    return Array.from({ length: end - first }, (_, index) => first + index)
  }
  return {
    add(header, rows, checked) {
      const valuesByRow = new Map(checked.accepted.map(({ row, value }) => [row, value as FulfillmentRow]))
      for (const { row } of checked.bad) bad.add(row)
      for (const { row, values } of rows) {
        const reference = referenceIn(header, values)
        if (row === 1 || reference === '' || reference !== order.reference) start(row, reference)
        const value = valuesByRow.get(row)
        order.rows.push(row)
        if (value === undefined) order.bad.push(row)
        else order.values.push(value)
        next = row + 1
      }
    },
    end() {
      close()
      for (const [one, other, reference] of apart) {
        const named = rowsNamed(rowsOf(other))
        const why = 'apart from this one: put the rows of an order together'
        fail(rowsOf(one), { external_ref: [`${quoted(reference)} is also in ${named}, ${why}`] })
      }
      return { failed, combined: new Map(), added: new Map() }
    },
  }
}

function orderFault({ reference, rows, bad, values }: Order): string | FieldErrors | undefined {
  if (bad.length > 0) {
    const named = rowsNamed(bad)
    return `Not ordered, because of ${named} of the same order.`
  }
  if (reference === '')
    return {
      external_ref: ['is empty: --ship-by order needs it, and --ship-by row ships each row by itself'],
    }
  const shared = ({ items: _, ...rest }: FulfillmentRow): string => JSON.stringify(rest)
  if (new Set(values.map(shared)).size > 1)
    return `The rows of order "${reference}" have different addresses or instructions: make them equal, or give each parcel a reference of its own.`
  const { length } = summedItems(values.map(({ items }) => items))
  if (length > orderLinesMax)
    return `Order "${reference}" has ${length} items, and a parcel takes ${orderLinesMax}.`
  if (rows.length <= orderRowsMax) return undefined
  return `Order "${reference}" has ${rows.length} rows, and may have ${orderRowsMax}: add up rows of one SKU.`
}

export function referenceIn(header: readonly string[], values: readonly string[]): string {
  return values[header.indexOf('external_ref')]?.trim() ?? ''
}

function faultOf(row: number, fault: string | FieldErrors): CsvRowError {
  if (typeof fault !== 'string') return rowError(row, 'validation_error', fault)
  return { ...rowError(row, 'validation_error', {}), message: fault }
}
