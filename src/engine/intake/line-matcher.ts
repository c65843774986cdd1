import {
  type ArrivingItem,
  type Candidates,
  chooseLine,
  type LineMatch,
} from '../../domain/manifests/matching.ts'
import { certKey } from '../../domain/manifests/normalise.ts'
import type { ReadContext } from '../context.ts'
import { phraseFinder } from './line-candidates.ts'
import type { OpenLine, OpenLines } from './open-lines.ts'

/** The line that an arriving item belongs to; `preferred` is the one it was scanned against, if any. */
export type LineMatcher = (
  item: ArrivingItem,
  preferred: OpenLine | undefined,
) => Promise<LineMatch<OpenLine> | null>

const none: Candidates<never> = { byCert: [], bySku: [], byDescription: [] }

/** Matches one arrival after the other, each to the lines that those before have left open (3.2, decisions 6). */
export function lineMatcher(view: ReadContext, lines: OpenLines): LineMatcher {
  const findPhrases = phraseFinder(view)
  return async (item, preferred) => {
    if (preferred) {
      const match = chooseLine(item, { byCert: [preferred], bySku: [preferred], byDescription: [preferred] })
      if (match) return match
    }
    const cert = certKey(item.cert_number ?? '')
    if (cert !== '') {
      for await (const line of lines.withKey('cert_key', cert)) {
        const match = chooseLine(item, { ...none, byCert: [line] })
        if (match) return match
      }
    }
    if (item.type === 'product') {
      for await (const line of lines.withKey('sku', item.sku)) {
        const match = chooseLine(item, { ...none, bySku: [line] })
        if (match) return match
      }
    }
    for await (const keys of findPhrases(item)) {
      const match = chooseLine(item, { ...none, byDescription: await firstLines(lines, keys) })
      if (match) return match
    }
    return null
  }
}

/** The first open line of each phrase, in the order of matching: the others of a phrase score the same and come later. */
async function firstLines(lines: OpenLines, phraseKeys: readonly string[]): Promise<OpenLine[]> {
  const found: OpenLine[] = []
  for (const key of phraseKeys) {
    const first = await lines.withKey('phrase_key', key).next()
    if (first.value) found.push(first.value)
  }
  return found.sort((a, b) => (isBefore(a, b) ? -1 : 1))
}

function isBefore({ stored: a }: OpenLine, { stored: b }: OpenLine): boolean {
  return a.manifest_id === b.manifest_id ? a.line_no < b.line_no : a.manifest_id < b.manifest_id
}
