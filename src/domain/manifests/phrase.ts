import { sha256 } from '../computing.ts'
import { cardFacts } from './card-facts.ts'
import { type CandidateLine, isMatchedByDescription } from './matching.ts'
import { words } from './text-similarity.ts'

/** A set of words, sorted; equal sets have equal keys. */
export type Phrase = { key: string; words: readonly string[] }

/** `facts`: JSON of `CardFacts`, since lines with the same words may give numbers in another order. */
export type LinePhrase = Phrase & { facts: string }

/** Order of matching: oldest manifest first, then line order (decisions 6). */
export type LinePlace = { manifest_id: string; line_no: number }

/** Longer phrases are found by their word count: card descriptions are shorter, and an index would be many times the text. */
export const indexedWordsMax = 24

export const anyWord = ''

/** Longer words are looked up by their beginning, so that index entries stay small. */
const indexedLength = 64

/** Null if the line has a certificate or SKU, or no word (decisions 6). */
export function linePhrase(line: CandidateLine): LinePhrase | null {
  if (!isMatchedByDescription(line)) return null
  const found = words(line.description)
  return found.length === 0
    ? null
    : { ...phraseOf(found), facts: JSON.stringify(cardFacts(line.description)) }
}

export function phraseOf(differentWords: readonly string[]): Phrase {
  const sorted = [...differentWords].sort()
  return { key: shortHash(sorted.join(' ')), words: sorted }
}

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
