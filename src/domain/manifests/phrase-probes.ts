import { indexedWord, phraseText } from './phrase.ts'
import { similarityMin } from './text-similarity.ts'

/** Where to look phrases up: those with this word, as it is indexed, that have from `least` to `most` words in all. */
export type PhraseProbe = { word: string; least: number; most: number }

/** A phrase as it is stored; `text` is its `phraseText`. */
export type StoredPhrase = { key: string; text: string; word_count: number }

/** A phrase that a probe led to. A word whose bit is not in `mask` is not in it. */
export type FoundPhrase = StoredPhrase & { mask: number }

/** An item's words, the rarest first, each as it would stand in a phrase. */
export type Reading = { words: readonly string[]; texts: readonly string[]; bits: readonly number[] }

/** `frequency` says in how many phrases a word stands; it need not be exact. */
export function readingOf(words: readonly string[], frequency: (word: string) => number): Reading {
  const ranked = words.map((word) => ({ word, frequency: frequency(word) }))
  ranked.sort((a, b) => a.frequency - b.frequency || (a.word < b.word ? -1 : 1))
  const rarestFirst = ranked.map(({ word }) => word)
  const texts = rarestFirst.map((word) => phraseText([word]))
  return { words: rarestFirst, texts, bits: texts.map(maskOf) }
}

export function foundPhrase(phrase: StoredPhrase): FoundPhrase {
  return { ...phrase, mask: maskOf(phrase.text) }
}

/**
 * Probes that together lead to every phrase that is like enough to a reading. A phrase of b words must share s words with a
 * reading of a words, where 2s / (a + b) is the least similarity m. One that has none of the r rarest words shares at most
 * a - r: the next word leads to all of these where b is at most 2 (a - r) / m - a. And s is at most b: b is at least m a / (2 - m).
 */
export function phraseProbes({ words }: Reading): PhraseProbe[] {
  const least = Math.ceil((similarityMin * words.length) / (2 - similarityMin))
  const probes: PhraseProbe[] = []
  for (const [rarer, word] of words.entries()) {
    const most = Math.floor((2 * (words.length - rarer)) / similarityMin - words.length)
    if (most < least) break
    probes.push({ word: indexedWord(word), least, most })
  }
  return probes
}

/** Whether a phrase shares as many of a reading's words as it must. Nearly all that do not are known by their masks. */
export function sharesEnough({ texts, bits }: Reading, phrase: FoundPhrase): boolean {
  const needed = Math.ceil((similarityMin / 2) * (texts.length + phrase.word_count))
  let possible = 0
  for (const bit of bits) if ((phrase.mask & bit) !== 0) possible += 1
  if (possible < needed) return false
  let missing = texts.length - needed
  for (const text of texts) {
    if (!phrase.text.includes(text)) missing -= 1
    if (missing < 0) return false
  }
  return true
}

/** One of 32 bits for each word of a `phraseText`. */
function maskOf(text: string): number {
  let mask = 0
  let hash = 0
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 32) {
      mask |= 1 << (Math.imul(hash, 0x9e3779b1) >>> 27)
      hash = 0
    } else hash = (Math.imul(hash, 31) + code) | 0
  }
  return mask
}
