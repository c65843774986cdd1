import type { CsvRowError } from '../../contract/resources/error.ts'
import { rowError } from '../../domain/csv/csv-row-errors.ts'
import { createHashSet } from '../connection/hash-set.ts'
import type { LocallyChecked } from './chunk-rows.ts'
import type { RowPlaces } from './formats/row-places.ts'
import type { ChunkedKind } from './import-kind.ts'

/** Rows of a file that share an identity: they fail all together, or with --combine are one. By their numbers. */
export type SharedRows = {
  failed: ReadonlyMap<number, CsvRowError>
  /** The earlier row in which a row is counted. */
  combined: ReadonlyMap<number, number>
  /** What such rows add to its quantity. */
  added: ReadonlyMap<number, number>
}

/** `bad`: how many of its rows had failed already. */
type Group = { words: string; rows: number[]; bad: number }

/** How many of the other rows a message names. */
const namedMax = 5

/**
 * Finds rows of one identity in a whole file of millions, the bad ones included: once corrected, such a row would be taken for a
 * repeat of the other.
 */
export function sharedRows(kind: Pick<ChunkedKind, 'identity' | 'summed'>, isCombined: boolean) {
  const seen = createHashSet()
  const groups = new Map<number, Group>()
  const combined = new Map<number, number>()
  const added = new Map<number, number>()
  const isAdded = (row: number, value: unknown): boolean => {
    const sum = isCombined ? kind.summed?.(value) : undefined
    const first = sum && seen.number(`sum ${sum.text}`, row)
    if (sum === undefined || first === undefined) return false
    combined.set(row, first)
    added.set(first, (added.get(first) ?? 0) + sum.quantity)
    return true
  }
  const note = (row: number, value: unknown, bad: 0 | 1): void => {
    const { text, words } = kind.identity(value)
    const known = seen.number(text, row * 2 + bad)
    if (known === undefined) return
    const first = Math.floor(known / 2)
    const group = groups.get(first) ?? { words, rows: [first], bad: known % 2 }
    group.rows.push(row)
    group.bad += bad
    groups.set(first, group)
  }
  return {
    add({ accepted, readable }: LocallyChecked): void {
      for (const { row, value } of accepted) if (!isAdded(row, value)) note(row, value, 0)
      for (const { row, value } of readable) note(row, value, 1)
    },
    end(places: RowPlaces): SharedRows & { failedTwice: number } {
      const all = [...groups.values()]
      const failed = new Map(all.flatMap((group) => failures(group, places)))
      return { failed, combined, added, failedTwice: all.reduce((sum, { bad }) => sum + bad, 0) }
    },
  }
}

function failures({ words, rows }: Group, places: RowPlaces): Array<[number, CsvRowError]> {
  const first = rows.slice(0, namedMax + 1)
  return rows.map((row) => {
    const others = first.filter((other) => other !== row).slice(0, namedMax)
    const error = rowError(row, 'validation_error', {})
    return [row, { ...error, message: `${words} also in ${rowsNamed(others, rows.length - 1, places)}.` }]
  })
}

/** `row 3, line 4`, or `rows 3, 7 and 12`, as the operator's file counts them. */
export function rowsNamed(rows: readonly number[], all: number, places: RowPlaces): string {
  const [one] = rows
  if (all === 1 && one !== undefined) {
    const { row, line } = places.of(one)
    return `row ${row}, line ${line}`
  }
  const names = rows.map((row) => String(places.of(row).row))
  const last = all > rows.length ? `${(all - rows.length).toLocaleString('en')} more` : names.pop()
  return `rows ${names.join(', ')} and ${last}`
}
