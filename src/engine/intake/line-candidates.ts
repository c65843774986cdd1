import { type ArrivingItem, arrivalWords } from '../../domain/manifests/matching.ts'
import { indexedWord, phraseOf, wordsOfText } from '../../domain/manifests/phrase.ts'
import {
  type FoundPhrase,
  foundPhrase,
  type PhraseProbe,
  phraseProbes,
  type Reading,
  readingOf,
  sharesEnough,
} from '../../domain/manifests/phrase-probes.ts'
import { similarity } from '../../domain/manifests/text-similarity.ts'
import { readCount } from '../../store/tables/counts.ts'
import { listPhrases } from '../../store/tables/line-words.ts'
import type { ReadContext } from '../context.ts'

/** Keys of the phrases that an item's words are like enough, the most alike first; equally alike ones together. */
type PhraseFinder = (item: ArrivingItem) => AsyncGenerator<readonly string[], void>

/** What was read for one batch of arrivals: they have most of their words in common. */
type Cache = {
  frequencies: Map<string, number>
  found: Map<string, { probe: PhraseProbe; phrases: readonly FoundPhrase[] }>
  levels: Map<string, string[][]>
}

/** Finds phrases through the rarest of an item's words, so that the time taken grows far slower than the open lines. */
export function phraseFinder(view: ReadContext): PhraseFinder {
  const cache: Cache = { frequencies: new Map(), found: new Map(), levels: new Map() }
  return async function* (item) {
    const wordings = arrivalWords(item).filter((words) => words.length > 0)
    if (wordings.length === 0) return
    // Nothing is more alike than the same words: the rest is looked for only where these are not there.
    yield wordings.map((words) => phraseOf(words).key)
    const name = wordings.map((words) => words.join(' ')).join('\n')
    const levels = cache.levels.get(name) ?? (await rankPhrases(view, cache, wordings))
    cache.levels.set(name, levels)
    yield* levels
  }
}

/** Phrases by falling similarity to the wording that they are most like. */
async function rankPhrases(
  view: ReadContext,
  cache: Cache,
  wordings: ReadonlyArray<readonly string[]>,
): Promise<string[][]> {
  for (const word of wordings.flat()) await readFrequency(view, cache, word)
  const frequency = (word: string): number => cache.frequencies.get(indexedWord(word)) ?? 0
  const readings = wordings.map((words) => readingOf(words, frequency))
  const scores = new Map<string, number>()
  for (const probe of mergedProbes(readings)) {
    for (const phrase of await readPhrases(view, cache, probe)) {
      const score = scoreOf(readings, phrase)
      if (score > 0) scores.set(phrase.key, score)
    }
  }
  const levels = new Map<number, string[]>()
  for (const [key, score] of scores) {
    const level = levels.get(score)
    if (level) level.push(key)
    else levels.set(score, [key])
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, keys]) => keys)
}

/** The readings have most words in common: each is looked up once, as widely as any of them needs. */
function mergedProbes(readings: readonly Reading[]): Iterable<PhraseProbe> {
  const merged = new Map<string, PhraseProbe>()
  for (const probe of readings.flatMap(phraseProbes)) {
    const same = merged.get(probe.word)
    merged.set(probe.word, same ? widened(same, probe) : probe)
  }
  return merged.values()
}

function widened(a: PhraseProbe, b: PhraseProbe): PhraseProbe {
  return { word: a.word, least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) }
}

/** 0 where no reading is like enough. */
function scoreOf(readings: readonly Reading[], phrase: FoundPhrase): number {
  let score = 0
  for (const reading of readings) {
    if (!sharesEnough(reading, phrase)) continue
    score = Math.max(score, similarity(reading.words, wordsOfText(phrase.text)))
  }
  return score
}

async function readFrequency({ tx, scope }: ReadContext, cache: Cache, word: string): Promise<void> {
  const indexed = indexedWord(word)
  if (cache.frequencies.has(indexed)) return
  cache.frequencies.set(indexed, await readCount(tx, scope.id, 'words', indexed))
}

/** What an earlier arrival's probe of the same word led to serves, where that was as wide. */
async function readPhrases(
  view: ReadContext,
  cache: Cache,
  probe: PhraseProbe,
): Promise<readonly FoundPhrase[]> {
  const before = cache.found.get(probe.word)
  if (before && before.probe.least <= probe.least && before.probe.most >= probe.most) return before.phrases
  const wider = before ? widened(before.probe, probe) : probe
  const phrases = (await listPhrases(view.tx, view.scope.id, wider)).map(foundPhrase)
  cache.found.set(probe.word, { probe: wider, phrases })
  return phrases
}
