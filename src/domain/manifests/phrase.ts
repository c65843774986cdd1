import { type CandidateLine, isMatchedByDescription } from './matching.ts'
import { words } from './text-similarity.ts'

/** A set of words, in alphabetical order, and its name: equal sets have equal keys. */
export type Phrase = { key: string; words: readonly string[] }

/** Longer words are looked up by their beginning, so that an index entry stays small whatever a partner writes. */
const indexedLength = 64

/** The set of words by which a line is matched; null where it has a certificate or SKU, or not one word (decisions 6). */
export function linePhrase(line: CandidateLine): Phrase | null {
  if (!isMatchedByDescription(line)) return null
  const found = words(line.description)
  return found.length === 0 ? null : phraseOf(found)
}

/** The phrase of different words in any order. */
export function phraseOf(differentWords: readonly string[]): Phrase {
  const sorted = [...differentWords].sort()
  return { key: shortHash(sorted.join(' ')), words: sorted }
}

/** A set of words as text, with a space on either side of each: so a word can be looked for without taking it apart. */
export function phraseText(differentWords: readonly string[]): string {
  return ` ${differentWords.join(' ')} `
}

/** The words of `phraseText`. */
export function wordsOfText(text: string): string[] {
  return text.slice(1, -1).split(' ')
}

/** What a phrase is found by: its words, each cut to a length that every index can hold. */
export function indexedWords(differentWords: readonly string[]): string[] {
  return [...new Set(differentWords.map(indexedWord))]
}

export function indexedWord(word: string): string {
  return word.slice(0, indexedLength)
}

/** Loaded when first needed: most commands never hash, and node:crypto takes 4 ms. */
function shortHash(text: string): string {
  const { hash } = process.getBuiltinModule('node:crypto')
  return hash('sha256', text, 'base64url').slice(0, 22)
}
