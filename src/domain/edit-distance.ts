/**
 * Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and swaps of
 * neighbours that turn one text into the other.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const edited = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      )
      const swaps = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = swaps ? at(beforeLast, column - 2) + 1 : edited
      current.push(Math.min(edited, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] as number
}
