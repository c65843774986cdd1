import { sha256 } from '../computing.ts'
import { cardFacts } from './card-facts.ts'
import { type CandidateLine, isMatchedByDescription } from './matching.ts'
import { words } from './text-similarity.ts'

/** A set of words, in alphabetical order, and its name: equal sets have equal keys. */
export type Phrase = { key: string; words: readonly string[] }

/** A phrase with the numbers of the card, as JSON of `CardFacts`: lines of equal words may give them in another order. */
export type LinePhrase = Phrase & { facts: string }

/** A place in the order of matching: oldest manifest first, then line order (decisions 6). */
export type LinePlace = { manifest_id: string; line_no: number }

/**
 * A phrase of more words is found by how many it has, and not by each of them: nobody describes a card in so many, and an
 * index of all words of such a text is many times as large as the text.
 */
export const indexedWordsMax = 24

/** What stands in the index in place of each word of a longer phrase. */
export const anyWord = ''

/** Longer words are looked up by their beginning, so that an index entry stays small whatever a partner writes. */
const indexedLength = 64

/** The set of words by which a line is matched; null where it has a certificate or SKU, or not one word (decisions 6). */
export function linePhrase(line: CandidateLine): LinePhrase | null {
  if (!isMatchedByDescription(line)) return null
  const found = words(line.description)
  return found.length === 0
    ? null
    : { ...phraseOf(found), facts: JSON.stringify(cardFacts(line.description)) }
}

/** The phrase of different words in any order. */
export function phraseOf(differentWords: readonly string[]): Phrase {
  const sorted = [...differentWords].sort()
  return { key: shortHash(sorted.join(' ')), words: sorted }
}

/** What a phrase is found by. */
export function indexedWords(differentWords: readonly string[]): string[] {
  if (differentWords.length > indexedWordsMax) return [anyWord]
  return [...new Set(differentWords.map(indexedWord))]
}

export function indexedWord(word: string): string {
  return word.slice(0, indexedLength)
}

export function isBefore(a: LinePlace, b: LinePlace): boolean {
  return a.manifest_id === b.manifest_id ? a.line_no < b.line_no : a.manifest_id < b.manifest_id
}

function shortHash(text: string): string {
  return sha256(text, 'base64url').slice(0, 22)
}
