import {
  type ArrivingItem,
  type CandidateLine,
  type LineMatch,
  matchLine,
} from '../../src/domain/manifests/matching.ts'

const strongestFirst = ['cert_number', 'sku', 'description']

/** The rule of ruling 6 by looking at every open line: the strongest key, then the best score, then the first line. */
export function lineByRule<L extends CandidateLine>(
  item: ArrivingItem,
  lines: readonly L[],
): (LineMatch & { line: L }) | null {
  const matches = lines.flatMap((line) => {
    const match = matchLine(item, line)
    return match ? [{ ...match, line }] : []
  })
  const rank = ({ key }: LineMatch): number => strongestFirst.indexOf(key)
  return matches.sort((a, b) => rank(a) - rank(b) || b.score - a.score)[0] ?? null
}
