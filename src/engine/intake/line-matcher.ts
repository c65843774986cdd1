import { certKey, isBlank } from '../../domain/graders/certificate.ts'
import {
  type ArrivingItem,
  arrivalWords,
  descriptionMatch,
  itemFacts,
  type LineMatch,
  matchLine,
  matchScanned,
} from '../../domain/manifests/matching.ts'
import { isBefore, phraseOf } from '../../domain/manifests/phrase.ts'
import { mostSimilar, type PhraseSource } from '../../domain/manifests/phrase-search.ts'
import type { LineKey } from '../../store/tables/manifest-lines.ts'
import type { ReadContext } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { OpenLine, OpenLines } from './open-lines.ts'
import { contradictedMax, firstLine, phraseSource } from './phrase-source.ts'

type MatchedLine = LineMatch & { line: OpenLine }

/** `preferred`: the line that the item was scanned against, if any. */
export type LineMatcher = (item: ArrivingItem, preferred: OpenLine | undefined) => Promise<MatchedLine | null>

/** Matches arrivals in turn, each against what earlier ones have left open (3.2, decisions 6). */
export function lineMatcher(view: ReadContext, lines: OpenLines): LineMatcher {
  const phrases = phraseSource(view, lines)
  return async (item, preferred) => {
    const scanned = preferred && matchScanned(item, preferred)
    if (preferred && scanned) return { ...scanned, line: preferred }
    const byCert = await byKey(lines, item, 'cert_key', certKey(item.cert_number ?? ''))
    if (byCert) return byCert
    return (
      (await byKey(lines, item, 'sku', isBlank(item.sku) ? '' : item.sku)) ??
      byDescription(lines, phrases, item)
    )
  }
}

async function byKey(
  lines: OpenLines,
  item: ArrivingItem,
  by: LineKey,
  key: string,
): Promise<MatchedLine | null> {
  if (key === '') return null
  let contradicted = 0
  for await (const line of lines.withKey(by, key)) {
    const match = matchLine(item, line)
    if (match?.key === (by === 'sku' ? 'sku' : 'cert_number')) return { ...match, line }
    contradicted += 1
    if (contradicted === contradictedMax) return null
    await yieldToEventLoop()
  }
  return null
}

/** Equal words match best, so other lines are searched only if no line has the same words. */
async function byDescription(
  lines: OpenLines,
  phrases: PhraseSource,
  item: ArrivingItem,
): Promise<MatchedLine | null> {
  const readings = arrivalWords(item)
  const facts = itemFacts(item)
  let same: OpenLine | undefined
  for (const words of readings) {
    const line = await firstLine(lines, phraseOf(words).key, facts)
    if (line && (same === undefined || isBefore(line.stored, same.stored))) same = line
  }
  if (same) return { ...descriptionMatch(1), line: same }
  const found = await mostSimilar(readings, phrases, facts)
  const line = found && (await firstLine(lines, found.phrase.key, facts))
  return line ? { ...descriptionMatch(found.score), line } : null
}
