import { orderLinesMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { quoted } from '../../domain/csv/csv-header.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { rowError } from '../../domain/csv/csv-row.ts'
import { type FulfillmentRow, summedItems } from '../../domain/fulfillments/fulfillment-csv.ts'
import type { FieldErrors } from '../../domain/rejection.ts'
import { rowsNamed } from '../base/counted.ts'
import { createKeySet } from '../connection/key-set.ts'
import type { LocallyChecked } from './chunk-rows.ts'
import type { ChunkedKind, Identity } from './import-kind.ts'

export type SharedRows = {
  failed: ReadonlyMap<number, CsvRowError>
  /** With --combine: the rows of each sum. */
  sums: ReadonlyMap<number, Sum>
}

/** The row `first` is sent with the quantities of all; its result is the result of each. */
type Sum = { first: number; added: number; result?: 'created' | 'same' | CsvRowError }

/** Must handle files of millions of rows. */
export type SharedRowsFinder = {
  add(header: readonly string[], rows: readonly CsvRow[], checked: LocallyChecked): void
  end(): SharedRows
}

/** One keeps its identity: it may have been ordered before. */
const remedies = {
  keep: 'keep one of them',
  refer: 'give all but one an external_ref',
  sum: 'add up equal rows with --combine, or, if none was ordered, give all but one another reference',
  equal:
    'make them equal, so that they are added up, or, if none was ordered, give all but one another reference',
}

/** Rows of one identity all fail, or --combine sums them. Includes bad rows: once corrected, one would pass for a repeat. */
export function equalRows(
  kind: Pick<ChunkedKind, 'identity' | 'summed'>,
  isCombined: boolean,
): SharedRowsFinder {
  const seen = createKeySet()
  const groups = new Map<number, Identity & { rows: number[]; sum: Sum | undefined }>()
  const note = (row: number, value: unknown, part?: ReturnType<NonNullable<typeof kind.summed>>): void => {
    const identity = kind.identity(value)
    const first = seen.number(identity.text, row)
    const firstEqual = part && seen.number(`sum ${part.text}`, row)
    if (first === undefined) return
    const group = groups.get(first) ?? { ...identity, rows: [first], sum: { first, added: 0 } }
    group.rows.push(row)
    if (part && group.sum && firstEqual === first) group.sum.added += part.quantity
    else group.sum = undefined
    groups.set(first, group)
  }
  return {
    add(_, _rows, { accepted, readable }) {
      for (const { row, value } of accepted) note(row, value, isCombined ? kind.summed?.(value) : undefined)
      for (const { row, value } of readable) note(row, value)
    },
    end() {
      const failed = new Map<number, CsvRowError>()
      const sums = new Map<number, Sum>()
      for (const { field, fault, remedy, rows, sum } of groups.values()) {
        const advice = remedy === 'sum' && isCombined ? remedies.equal : remedies[remedy]
        for (const row of rows) {
          if (sum) {
            sums.set(row, sum)
            continue
          }
          // All of a file's rows may be equal.
          const others = rows.slice(0, 6).filter((other) => other !== row)
          const named = rowsNamed(others, rows.length - 1)
          failed.set(row, faultOf(row, { [field]: [`${fault} also in ${named}: ${advice}`] }))
        }
      }
      return { failed, sums }
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
      return { failed, sums: new Map() }
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
  const shared = ({ items: _, ...rest }: FulfillmentRow): string => JSON.stringify(rest).normalize()
  if (new Set(values.map(shared)).size > 1)
    return `The rows of order "${reference}" have different addresses or instructions: make them equal, or, if none was ordered, give all but one parcel another reference.`
  const { length } = summedItems(values.map(({ items }) => items))
  if (length > orderLinesMax)
    return `Order "${reference}" has ${length} different items, and a parcel takes ${orderLinesMax}: give the others another reference.`
  if (rows.length <= orderRowsMax) return undefined
  return `Order "${reference}" has ${rows.length} rows, and may have ${orderRowsMax}: add up rows of one SKU.`
}

export function referenceIn(header: readonly string[], values: readonly string[]): string {
  return values[header.indexOf('external_ref')]?.trim().normalize() ?? ''
}

function faultOf(row: number, fault: string | FieldErrors): CsvRowError {
  if (typeof fault !== 'string') return rowError(row, 'validation_error', fault)
  return { ...rowError(row, 'validation_error', {}), message: fault }
}
