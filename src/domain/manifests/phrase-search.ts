import { type CardFacts, noFacts } from './card-facts.ts'
import { anyWord, indexedWord, indexedWordsMax, isBefore, type LinePlace } from './phrase.ts'
import { similarityMin } from './text-similarity.ts'

/** A phrase of open lines; its words by number. */
export type KnownPhrase = { phrase_no: number; key: string; words: readonly number[] }

/** Phrases with this word, as it is indexed, that have from `least` to `most` words in all; not more than `limit`. */
export type PhraseProbe = { word: string; least: number; most: number; limit: number }

/** Where phrases are looked up. What was read for one search may be kept for the next. */
export type PhraseSource = {
  /** In how many phrases each of the words stands; it need not be exact. */
  frequencies(words: readonly string[]): Promise<(word: string) => number>
  /** The number of a word in `KnownPhrase`; undefined where no phrase that was read has it. */
  numberOf(word: string): number | undefined
  find(probe: PhraseProbe): Promise<readonly KnownPhrase[]>
  /** Where the first line with room stands that has the phrase and is no other card; null if there is none. */
  placeOf(phrase: KnownPhrase, facts: CardFacts): LinePlace | null | Promise<LinePlace | null>
}

/** The phrase most like one of an item's readings, of equals that of the first line. */
type FoundPhrase = { phrase: KnownPhrase; score: number; place: LinePlace }

/** Words that one item is compared with: some milliseconds. Beyond them the most alike so far is taken (docs/decisions.md). */
const comparedMax = 50_000
/** What a phrase of fewer words counts: reading it costs as much. */
const comparedLeast = 10

/** Scores are compared as they are computed; what a search may leave out is decided with this to spare. */
const spare = 1e-9

type Search = {
  facts: CardFacts
  readings: ReadonlyArray<ReadonlySet<string>>
  /** How many of each reading's words, the rarest first, were looked up. */
  probed: number[]
  seen: Set<number>
  best: FoundPhrase | null
  left: number
}

/**
 * The phrase with the highest similarity to one of the readings, at least `similarityMin`; of equals the one whose first line
 * comes first (decisions 6). A phrase of b words must share s of them with a reading of a words, where 2s / (a + b) is the
 * score to reach. One that has none of the r rarest words of the reading shares at most a - r. So words are looked up from the
 * rarest on, and the better the best one so far, the fewer phrases are read: those that can still be as good. Phrases of another
 * card than `facts` are passed over.
 */
export async function mostAlike(
  readings: ReadonlyArray<readonly string[]>,
  source: PhraseSource,
  facts: CardFacts = noFacts,
): Promise<FoundPhrase | null> {
  const search: Search = {
    facts,
    readings: readings.map((words) => new Set(words)),
    probed: readings.map(() => 0),
    seen: new Set(),
    best: null,
    left: comparedMax,
  }
  for (const word of await rarestFirst(new Set(readings.flat()), source)) {
    const range = nextRange(search, word)
    await examine(search, source, {
      ...range,
      word: indexedWord(word),
      most: Math.min(range.most, indexedWordsMax),
    })
  }
  for (const reading of search.readings) {
    const { least, most } = sizesAlike(search, reading.size, 0)
    await examine(search, source, { word: anyWord, least: Math.max(least, indexedWordsMax + 1), most })
  }
  return search.best
}

async function rarestFirst(words: ReadonlySet<string>, source: PhraseSource): Promise<string[]> {
  const frequency = await source.frequencies([...words])
  const ranked = [...words].map((word) => ({ word, frequency: frequency(word) }))
  ranked.sort((a, b) => a.frequency - b.frequency || (a.word < b.word ? -1 : 1))
  return ranked.map(({ word }) => word)
}

/** How many words a phrase has that this word must lead to: as widely as any of the readings needs. */
function nextRange(search: Search, word: string): { least: number; most: number } {
  const range = { least: Number.POSITIVE_INFINITY, most: 0 }
  for (const [at, reading] of search.readings.entries()) {
    if (!reading.has(word)) continue
    const { least, most } = sizesAlike(search, reading.size, search.probed[at]!)
    search.probed[at]! += 1
    if (least > most) continue
    range.least = Math.min(range.least, least)
    range.most = Math.max(range.most, most)
  }
  return range
}

/**
 * How many words a phrase has that can be as good as the best so far, for a reading of a words of which it has none of the r
 * rarest: b is at most 2 (a - r) / m - a, and because s is at most b, at least m a / (2 - m).
 */
function sizesAlike(search: Search, a: number, r: number): { least: number; most: number } {
  const m = (search.best?.score ?? similarityMin) - spare
  return { least: Math.ceil((m * a) / (2 - m)), most: Math.floor((2 * (a - r)) / m - a) }
}

async function examine(
  search: Search,
  source: PhraseSource,
  probe: Omit<PhraseProbe, 'limit'>,
): Promise<void> {
  const { least, most } = probe
  if (least > most || search.left <= 0) return
  const phrases = await source.find({
    ...probe,
    limit: Math.ceil(comparedMax / Math.max(least, comparedLeast)),
  })
  const numbered = readingsByNumber(search, source)
  for (const phrase of phrases) {
    const { length } = phrase.words
    if (length < least || length > most || search.seen.has(phrase.phrase_no)) continue
    if (search.left <= 0) return
    search.seen.add(phrase.phrase_no)
    search.left -= Math.max(length, comparedLeast)
    const score = scoreOf(search, numbered, phrase)
    if (score < (search.best?.score ?? similarityMin)) continue
    const place = await source.placeOf(phrase, search.facts)
    if (place === null) continue
    if (search.best === null || score > search.best.score || isBefore(place, search.best.place))
      search.best = { phrase, score, place }
  }
}

/** For each number of a word, in which of the readings it stands: a bit for each. */
function readingsByNumber({ readings }: Search, source: PhraseSource): Map<number, number> {
  const bits = new Map<number, number>()
  for (const [at, reading] of readings.entries()) {
    for (const word of reading) {
      const number = source.numberOf(word)
      if (number !== undefined) bits.set(number, (bits.get(number) ?? 0) | (1 << at))
    }
  }
  return bits
}

/** Sørensen-Dice similarity (domain/manifests/text-similarity.ts) to the reading that the phrase is most like. */
function scoreOf({ readings }: Search, bits: ReadonlyMap<number, number>, { words }: KnownPhrase): number {
  const shared = readings.map(() => 0)
  for (const number of words) {
    const inReadings = bits.get(number) ?? 0
    for (let at = 0; inReadings >> at !== 0; at++) if (((inReadings >> at) & 1) === 1) shared[at]! += 1
  }
  let score = 0
  for (const [at, n] of shared.entries())
    score = Math.max(score, (2 * n) / (readings[at]!.size + words.length))
  return score
}
