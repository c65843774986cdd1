/** The place of a row in the operator's file: its number, and the line on which it begins. */
export type RowPlace = { row: number; line: number }

/** The places of all rows of a file, noted in order; stored only where the step from one row to the next changes. */
export type RowPlaces = {
  note(ordinal: number, place: RowPlace): void
  of(ordinal: number): RowPlace
}

export function rowPlaces(): RowPlaces {
  const ordinals: number[] = []
  const rows: number[] = []
  const lines: number[] = []
  const placeAt = (ordinal: number): RowPlace => {
    const at = lastAtMost(ordinals, ordinal)
    const step = ordinal - (ordinals[at] ?? 1)
    return { row: (rows[at] ?? 1) + step, line: (lines[at] ?? 2) + step }
  }
  return {
    note(ordinal, { row, line }) {
      const expected = placeAt(ordinal)
      if (expected.row === row && expected.line === line) return
      ordinals.push(ordinal)
      rows.push(row)
      lines.push(line)
    },
    of: placeAt,
  }
}

/** The index of the last number that is not larger; -1 if there is none. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
