import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { similarity, similarityMin, words } from '../../src/domain/manifests/text-similarity.ts'
import { anyText } from '../support/any-text.ts'

// Few letters, so that sets often overlap near the threshold.
const wordSets = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmno'), { maxLength: 15 })

describe('words (decisions 6)', () => {
  test.each([
    [
      '1999 Pokémon Base Set Charizard-Holo #4/102',
      ['1999', 'pokemon', 'base', 'set', 'charizard', 'holo', '4', '102'],
    ],
    ['#004', ['4']],
    ['0000', ['0']],
    ['  Mickey   MANTLE, Topps ', ['mickey', 'mantle', 'topps']],
    ['Topps topps TOPPS', ['topps']],
    ['José Ramírez (RC)', ['jose', 'ramirez', 'rc']],
    ["Blaine's Charizard", ['blaines', 'charizard']],
    ['Blaine’s', ['blaines']],
    ['Blaine´s ŉ', ['blaines', 'n']],
    ['BGS 9.5', ['bgs', '9.5']],
    ['Ch. 9.', ['ch', '9']],
    ['10.25 a.5 9.x', ['10.25', 'a', '5', '9', 'x']],
    ['9.5th 9.5é 9.5/10', ['9', '5th', '5e', '9.5', '10']],
    ['リザードン ex', ['リザードン', 'ex']],
    ['ＰＳＡ１０', ['psa10']],
    ['★ Charizard ⭐️ 🔥', ['charizard']],
    ['', []],
    ['★ -- !', []],
  ])('%j gives %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test('kana with and without voicing marks stay different words', () => {
    expect(words('バス')).not.toEqual(words('パス'))
    expect(words('バス'.normalize('NFD'))).toEqual(words('バス'))
  })

  test('a 9.5 shares no word with a 9 or a 5', () => {
    expect(words('9.5').filter((each) => words('9 5').includes(each))).toEqual([])
  })

  test('splitting words again gives the same words, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyText()), (text) => {
        expect(words(words(text).join(' '))).toEqual(words(text))
      }),
      { numRuns: 500 },
    )
  })

  test('case, composition, and punctuation around a word do not matter', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('Pikachu', 'Élan', '025', 'Über', 'XY')), (parts) => {
        const plain = words(parts.join(' '))
        expect(words(parts.join(' ').toUpperCase())).toEqual(plain)
        expect(words(parts.join(', #').normalize('NFD'))).toEqual(plain)
      }),
    )
  })
})

describe('similarity', () => {
  test.each([
    ['charizard', 'charizard', 1],
    ['charizard base set', 'charizard', 0.5], // a subset is not the same card
    ['charizard base set 4', 'charizard base set 4 102', 8 / 9],
    ['a b c', 'a b c d e', 0.75],
    ['a', 'b', 0],
    ['', '', 0],
    ['', 'a', 0],
  ])('scores "%s" and "%s" as %f', (a, b, expected) => {
    expect(similarity(words(a), words(b))).toBe(expected)
  })

  test('is symmetric, between 0 and 1, 1 for the same words in any order, and 0 for none shared', () => {
    fc.assert(
      fc.property(wordSets, wordSets, (a, b) => {
        const score = similarity(a, b)
        expect(score).toBe(similarity(b, a))
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score === 1).toBe(a.length > 0 && a.toSorted().join() === b.toSorted().join())
        expect(score === 0).toBe(!a.some((each) => b.includes(each)))
      }),
    )
  })

  test('meets the threshold exactly if eight times the shared words reach three times both lengths', () => {
    fc.assert(
      fc.property(wordSets, wordSets, (a, b) => {
        const shared = a.filter((each) => b.includes(each)).length
        const exact = shared > 0 && 8 * shared >= 3 * (a.length + b.length)
        expect(similarity(a, b) >= similarityMin).toBe(exact)
      }),
    )
  })
})
