import { editDistance } from './edit-distance.ts'

/**
 * The known name that was probably meant, or null when none is near. Case, spaces, dashes and underscores do not count;
 * one edit in three characters may be wrong, and a name's beginning of three characters or more will do.
 */
export function closestName(given: string, known: readonly string[]): string | null {
  const wanted = plain(given)
  if (wanted === '') return null
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const name of known) {
    const distance = nameDistance(wanted, plain(name))
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best
}

/** Infinity when too far to suggest. A shared beginning ranks behind every plain typing error of up to two edits. */
function nameDistance(wanted: string, name: string): number {
  const longest = Math.max(wanted.length, name.length)
  // Unlike names are told from their lengths alone, so that a column named by a whole paragraph costs nothing.
  if (longest > 3 * Math.min(wanted.length, name.length) + 3) return startsAlike(wanted, name)
  const distance = editDistance(wanted, name)
  return distance <= Math.max(1, Math.floor(longest / 3)) ? distance : startsAlike(wanted, name)
}

function startsAlike(wanted: string, name: string): number {
  if (wanted.length < 3 || name.length < 3) return Number.POSITIVE_INFINITY
  return wanted.startsWith(name) || name.startsWith(wanted) ? 2.5 : Number.POSITIVE_INFINITY
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '')
}
