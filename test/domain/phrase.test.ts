import { describe, expect, test } from 'vitest'
import {
  anyWord,
  indexedWords,
  indexedWordsMax,
  isBefore,
  linePhrase,
  phraseOf,
} from '../../src/domain/manifests/phrase.ts'

describe('a phrase', () => {
  test('is the set of words of a line without certificate and SKU', () => {
    const line = { description: 'Charizard, Base Set #004', grader: null, cert_number: null, sku: null }
    expect(linePhrase(line)).toEqual({
      key: phraseOf(['set', 'base', '4', 'charizard']).key,
      words: ['4', 'base', 'charizard', 'set'],
      facts: '{"numbers":["4"],"fractions":[],"years":[],"loose":[],"languages":[],"countries":[]}',
    })
    expect(linePhrase({ ...line, sku: 'ETB-1' })).toBeNull()
    expect(linePhrase({ ...line, cert_number: '1' })).toBeNull()
    expect(linePhrase({ ...line, description: '★' })).toBeNull()
  })

  test('has a key that does not depend on the order of its words', () => {
    expect(phraseOf(['b', 'a']).key).toBe(phraseOf(['a', 'b']).key)
    expect(phraseOf(['ab']).key).not.toBe(phraseOf(['a', 'b']).key)
    expect(phraseOf(['a', 'b']).key).toMatch(/^[\w-]{22}$/)
  })

  test('is indexed by the prefixes of long words, each once, and by none if there are too many', () => {
    const long = 'x'.repeat(64)
    expect(indexedWords([`${long}a`, `${long}b`, 'y'])).toEqual([long, 'y'])
    const many = Array.from({ length: indexedWordsMax + 1 }, (_, n) => `w${n}`)
    expect(indexedWords(many.slice(1))).toHaveLength(indexedWordsMax)
    expect(indexedWords(many)).toEqual([anyWord])
  })

  test('is placed at its first line: oldest manifest, then line order', () => {
    expect(isBefore({ manifest_id: 'a', line_no: 9 }, { manifest_id: 'b', line_no: 1 })).toBe(true)
    expect(isBefore({ manifest_id: 'b', line_no: 1 }, { manifest_id: 'a', line_no: 9 })).toBe(false)
    expect(isBefore({ manifest_id: 'a', line_no: 2 }, { manifest_id: 'a', line_no: 1 })).toBe(false)
    expect(isBefore({ manifest_id: 'a', line_no: 1 }, { manifest_id: 'a', line_no: 2 })).toBe(true)
  })
})
