import { indexedWord, indexedWords } from '../../src/domain/manifests/phrase.ts'
import type { KnownPhrase, PhraseSource } from '../../src/domain/manifests/phrase-search.ts'

/** Phrases in memory, each with its position in the list as its line; counts the rows read. */
export function heldPhrases(phrases: ReadonlyArray<readonly string[]>): PhraseSource & { read(): number } {
  const numbers = new Map<string, number>()
  const index = new Map<string, KnownPhrase[]>()
  for (const [at, words] of phrases.entries()) {
    for (const word of words) if (!numbers.has(word)) numbers.set(word, numbers.size)
    const known = { phrase_no: at, key: String(at), words: words.map((word) => numbers.get(word) ?? -1) }
    for (const word of indexedWords(words)) push(index, word, known)
  }
  let read = 0
  return {
    read: () => read,
    async frequencies(words) {
      const asked = new Set(words)
      return (word) => (asked.has(word) ? (index.get(indexedWord(word))?.length ?? 0) : 0)
    },
    numberOf: (word) => numbers.get(word),
    async find({ word, least, most, limit }) {
      const found = (index.get(word) ?? []).filter(
        ({ words }) => words.length >= least && words.length <= most,
      )
      read += Math.min(found.length, limit)
      return found.slice(0, limit)
    },
    placeOf: ({ phrase_no }) => ({ manifest_id: 'm', line_no: phrase_no }),
  }
}

function push(index: Map<string, KnownPhrase[]>, word: string, phrase: KnownPhrase): void {
  const list = index.get(word)
  if (list) list.push(phrase)
  else index.set(word, [phrase])
}
