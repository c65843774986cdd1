import { type CardFacts, noFacts } from './card-facts.ts'
import { anyWord, indexedWord, indexedWordsMax, isBefore, type LinePlace } from './phrase.ts'
import { similarityMin } from './text-similarity.ts'

export type KnownPhrase = { phrase_no: number; key: string; words: readonly number[] }

export type PhraseProbe = { word: string; least: number; most: number; limit: number }

export type PhraseSource = {
  /** Number of phrases that contain each word; may be approximate. */
  frequencies(words: readonly string[]): Promise<(word: string) => number>
  /** Undefined if no phrase read so far has the word. */
  numberOf(word: string): number | undefined
  find(probe: PhraseProbe): Promise<readonly KnownPhrase[]>
  /** The first line with room that has the phrase and is not another card. */
  placeOf(phrase: KnownPhrase, facts: CardFacts): LinePlace | null | Promise<LinePlace | null>
}

type FoundPhrase = { phrase: KnownPhrase; score: number; place: LinePlace }

/** Words compared per item, in some milliseconds; then the best match so far counts (docs/decisions.md). */
const comparedMax = 50_000
/** Minimum counted per phrase, because reading a short one costs as much. */
const comparedLeast = 10

/** Margin for rounding errors of scores when a search skips phrases. */
const spare = 1e-9

type Search = {
  facts: CardFacts
  readings: ReadonlyArray<ReadonlySet<string>>
  /** Number of words looked up for each reading, rarest first. */
  probed: number[]
  seen: Set<number>
  best: FoundPhrase | null
  left: number
}

/**
 * The phrase most similar to any reading, at least `similarityMin`; of equals, the one whose first line comes first (decisions
 * 6). A phrase of b words needs s shared with a reading of a words, where 2s / (a + b) is the score to reach; without the r
 * rarest words of the reading, it shares at most a - r. So words are looked up from the rarest on, and each better result narrows
 * which phrases are read. Skips phrases of other cards than `facts`.
 */
export async function mostSimilar(
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

/** The widest range that any reading needs for this word. */
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
 * Sizes that can equal the best so far, for a reading of a words without its r rarest: b is at most 2 (a - r) / m - a, and
 * because s is at most b, at least m a / (2 - m).
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

/** By word number, a bit for each reading that has the word. */
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

/** Sørensen-Dice similarity (text-similarity.ts) to the most similar reading. */
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
