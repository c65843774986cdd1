const nameMax = 100

/** Ignores case, spaces, dashes, and underscores; allows one edit per three characters (in quadratic time), and a beginning. */
export function closestName(given: string, known: readonly string[]): string | null {
  const wanted = plain(given)
  if (wanted === '' || wanted.length > nameMax) return null
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const name of known) {
    const distance = nameDistance(wanted, plain(name))
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best
}

/** Infinity if the names are too different. A shared beginning ranks behind every typing error of up to two edits. */
function nameDistance(wanted: string, name: string): number {
  const shortest = Math.min(wanted.length, name.length)
  const longest = Math.max(wanted.length, name.length)
  const edits = Math.max(1, Math.floor(longest / 3))
  // Lengths alone exclude most names, so a column with a paragraph for a name costs nothing.
  const distance = longest - shortest > edits ? Number.POSITIVE_INFINITY : editDistance(wanted, name)
  if (distance <= edits) return distance
  const isBeginning = wanted.startsWith(name) || name.startsWith(wanted)
  return shortest >= 3 && isBeginning ? 2.5 : Number.POSITIVE_INFINITY
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

/** Damerau-Levenshtein distance (optimal string alignment). */
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
