import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  indexedWords,
  linePhrase,
  phraseOf,
  phraseText,
  wordsOfText,
} from '../../src/domain/manifests/phrase.ts'
import {
  type FoundPhrase,
  foundPhrase,
  phraseProbes,
  type Reading,
  readingOf,
  sharesEnough,
} from '../../src/domain/manifests/phrase-probes.ts'
import { similarity, similarityMin, words } from '../../src/domain/manifests/text-similarity.ts'

const vocabulary = [...'abcdefghijklmno', 'charizard', 'holo', '199', '2003']

/** Two sets of words that have most in common: some of both, a few of the one alone, a few of the other. */
const alike = fc
  .tuple(fc.shuffledSubarray(vocabulary, { minLength: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 4 }))
  .map(([words, one, other]): [string[], string[]] => [
    words.slice(Math.min(one, 3)),
    words.slice(0, words.length - Math.min(other, 3)).toReversed(),
  ])

function found(phraseWords: readonly string[]): FoundPhrase {
  const { key, words: sorted } = phraseOf(phraseWords)
  return foundPhrase({ key, text: phraseText(sorted), word_count: sorted.length })
}

function reading(words: readonly string[], frequency = () => 1): Reading {
  return readingOf(words, frequency)
}

describe('phrase probes (decisions 6)', () => {
  test('lead to every phrase that is like enough, whatever the order of the words', () => {
    fc.assert(
      fc.property(alike, fc.func(fc.nat({ max: 5 })), ([wording, phrase], frequency) => {
        fc.pre(similarity(wording, phrase) >= similarityMin)
        const { length } = phrase
        const hits = phraseProbes(readingOf(wording, frequency)).filter(
          (probe) => phrase.includes(probe.word) && probe.least <= length && length <= probe.most,
        )
        expect(hits).not.toEqual([])
      }),
    )
  })

  test('sharesEnough is true of exactly the phrases that are like enough', () => {
    fc.assert(
      fc.property(alike, ([wording, phrase]) => {
        expect(sharesEnough(reading(wording), found(phrase))).toBe(
          similarity(wording, phrase) >= similarityMin,
        )
      }),
    )
  })

  test('a word within a longer one is not shared', () => {
    expect(sharesEnough(reading(['card']), found(['cards']))).toBe(false)
    expect(sharesEnough(reading(['a', 'b', 'c', 'd']), found(['aa', 'bb', 'c', 'd']))).toBe(false)
  })

  test('the fewest words, the rarest first: two of four', () => {
    const frequencies: Record<string, number> = { holo: 900, base: 300, charizard: 20, '4': 7 }
    const rarestFirst = readingOf(['base', 'charizard', 'holo', '4'], (each) => frequencies[each] ?? 0)
    expect(rarestFirst.words).toEqual(['4', 'charizard', 'base', 'holo'])
    expect(phraseProbes(rarestFirst)).toEqual([
      { word: '4', least: 3, most: 6 },
      { word: 'charizard', least: 3, most: 4 },
    ])
  })

  test('nothing leads from no words', () => {
    expect(phraseProbes(reading([]))).toEqual([])
  })
})

describe('a phrase', () => {
  test('is the set of words of a line without certificate and SKU', () => {
    const line = { description: 'Charizard, Base Set #004', grader: null, cert_number: null, sku: null }
    expect(linePhrase(line)).toEqual({
      key: phraseOf(['set', 'base', '4', 'charizard']).key,
      words: ['4', 'base', 'charizard', 'set'],
    })
    expect(linePhrase({ ...line, sku: 'ETB-1' })).toBeNull()
    expect(linePhrase({ ...line, cert_number: '1' })).toBeNull()
    expect(linePhrase({ ...line, description: '★' })).toBeNull()
  })

  test('has a key of its own, which the order of its words does not change', () => {
    expect(phraseOf(['b', 'a']).key).toBe(phraseOf(['a', 'b']).key)
    expect(phraseOf(['ab']).key).not.toBe(phraseOf(['a', 'b']).key)
    expect(phraseOf(['a', 'b']).key).toMatch(/^[\w-]{22}$/)
  })

  test('is the same after a while as text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (description) => {
        const different = words(description)
        fc.pre(different.length > 0)
        expect(wordsOfText(phraseText(different))).toEqual(different)
      }),
    )
  })

  test('is indexed by the beginnings of long words, each once', () => {
    const long = 'x'.repeat(64)
    expect(indexedWords([`${long}a`, `${long}b`, 'y'])).toEqual([long, 'y'])
  })
})
