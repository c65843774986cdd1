import { areTwoCards, type CardFacts } from '../../domain/manifests/card-facts.ts'
import { cardText } from '../../domain/manifests/card-text.ts'
import { indexedWord, type LinePlace } from '../../domain/manifests/phrase.ts'
import type { KnownPhrase, PhraseProbe, PhraseSource } from '../../domain/manifests/phrase-search.ts'
import { findCounts } from '../../store/tables/counts.ts'
import { listPhrases, type StoredPhrase } from '../../store/tables/phrases.ts'
import type { ReadContext } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { OpenLine, OpenLines } from './open-lines.ts'

/** Maximum phrases in memory: some tens of megabytes. */
const heldMax = 50_000

/** `place`: the first line with room, if known. */
type HeldPhrase = KnownPhrase & { place: LinePlace | null; facts: string | CardFacts | null }

/** Phrases read for one batch, kept because arrivals share most of their words. */
type Held = {
  frequencies: Map<string, number>
  numbers: Map<string, number>
  phrases: Map<number, HeldPhrase>
  found: Map<string, Found>
}

type Found = { probe: PhraseProbe; phrases: readonly HeldPhrase[] }

/** Reads and parses each phrase once per batch. */
export function phraseSource(view: ReadContext, lines: OpenLines): PhraseSource {
  const held: Held = { frequencies: new Map(), numbers: new Map(), phrases: new Map(), found: new Map() }
  const read = async (probe: PhraseProbe): Promise<Found> => {
    const stored = await listPhrases(view.tx, probe)
    return { probe, phrases: stored.map((phrase) => hold(held, lines, phrase)) }
  }
  return {
    async frequencies(words) {
      const missing = words.map(indexedWord).filter((word) => !held.frequencies.has(word))
      if (missing.length > 0) {
        const counts = await findCounts(view.tx, 'words', missing)
        for (const word of missing) held.frequencies.set(word, counts.get(word) ?? 0)
      }
      return (word) => held.frequencies.get(indexedWord(word)) as number
    },
    numberOf: (word) => held.numbers.get(word),
    async find(probe) {
      await yieldToEventLoop()
      const before = held.found.get(probe.word)
      if (before && isAsWide(before, probe)) return before.phrases
      /* v8 ignore if -- @preserve It only bounds memory: a test would need 55,000 lines to get here, for the same result. */
      if (held.phrases.size > heldMax)
        for (const kept of [held.numbers, held.phrases, held.found]) kept.clear()
      let found = await read(before ? widened(before.probe, probe) : probe)
      if (!isAsWide(found, probe)) found = await read(probe)
      held.found.set(probe.word, found)
      return found.phrases
    },
    async placeOf(phrase: HeldPhrase, facts) {
      // Lines of a phrase that differ, or predate migration 16, are compared one by one.
      if (phrase.facts === null) return (await firstLine(lines, phrase.key, facts))?.stored ?? null
      if (typeof phrase.facts === 'string') phrase.facts = JSON.parse(phrase.facts) as CardFacts
      if (areTwoCards(facts, phrase.facts)) return null
      if (phrase.place !== null && !lines.isOpenAt(phrase.place)) {
        const first = await lines.withKey('phrase_key', phrase.key).next()
        phrase.place = first.value?.stored ?? null
      }
      return phrase.place
    },
  }
}

/** Whether an earlier probe covers this one: its limit is no smaller, and if cut off it has the shortest phrases. */
function isAsWide({ probe: { least, most, limit }, phrases }: Found, probe: PhraseProbe): boolean {
  const isWhole = phrases.length < limit || least === probe.least
  return isWhole && least <= probe.least && most >= probe.most
}

function widened(a: PhraseProbe, b: PhraseProbe): PhraseProbe {
  const { word } = a
  const limit = Math.max(a.limit, b.limit)
  return { word, least: Math.min(a.least, b.least), most: Math.max(a.most, b.most), limit }
}

function hold(held: Held, lines: OpenLines, stored: StoredPhrase): HeldPhrase {
  const known = held.phrases.get(stored.phrase_no)
  if (known) return known
  const words = stored.words.split(' ').map((word) => {
    const number = held.numbers.get(word) ?? held.numbers.size
    held.numbers.set(word, number)
    return number
  })
  const { phrase_no, phrase_key: key, facts, manifest_id, line_no } = stored
  const place = lines.mayHold(stored) ? { manifest_id, line_no } : null
  const phrase = { phrase_no, key, words, facts, place }
  held.phrases.set(phrase_no, phrase)
  return phrase
}

/** Lines of one certificate, SKU, or phrase that an item may contradict; no partner sends this many (docs/decisions.md). */
export const contradictedMax = 100

export async function firstLine(
  lines: OpenLines,
  phraseKey: string,
  facts: CardFacts,
): Promise<OpenLine | undefined> {
  let contradicted = 0
  for await (const line of lines.withKey('phrase_key', phraseKey)) {
    if (!areTwoCards(facts, cardText(line.description).facts())) return line
    contradicted += 1
    if (contradicted === contradictedMax) return undefined
  }
  return undefined
}
