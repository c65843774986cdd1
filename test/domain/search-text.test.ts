import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldCase, searchForms, searchTerm, searchText, skuText } from '../../src/domain/items/search-text.ts'
import { anyText } from '../support/any-text.ts'
import { scale } from '../support/soak.ts'

test('search covers name and SKU regardless of case, and a term must fit into one of them', () => {
  const text = searchText({ name: 'Pokémon ÉLITE\nBox', sku: 'PKM-Ü1' })
  expect(text).toBe('pokémon élite box\npkm-ü1')
  expect(text).toContain(searchTerm('Élite\nBOX')[0])
  for (const form of searchTerm('box\npkm')) expect(text).not.toContain(form)
})

test('a SKU is searched regardless of case, and nothing between its two forms matches', () => {
  expect(['Ab-1', 'a\u001fb'].map(skuText)).toEqual(['ab-1', 'a b'])
})

/** Every character except halves of pairs. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
const changed = characters.filter((character) => foldCase(character) !== character)
const composing = characters.filter((each) => /\p{M}/u.test(each) || each.normalize('NFKC') !== each)
/** All others stay unchanged, whatever is done and whatever is next to them. */
const touched = [...new Set([...changed, ...composing])]

test('exactly the characters that Unicode lists are folded, and folding twice changes nothing', () => {
  const decomposed = (text: string) => text.normalize('NFD')
  const folding = touched.filter((each) => decomposed(foldCase(decomposed(each))) !== decomposed(each))
  expect(folding.sort()).toEqual(characters.filter((each) => /\p{CWCF}/u.test(each)).sort())
  for (const character of changed) expect(foldCase(foldCase(character))).toBe(foldCase(character))
})

test("characters equal regardless of case fold to the same, as in JavaScript's regular expressions", () => {
  const simple = changed.filter((character) => [...foldCase(character)].length === 1)
  for (const character of simple) expect(foldCase(character)).toMatch(new RegExp(`^${character}$`, 'iu'))
  // CaseFolding.txt: characters that fold to several.
  expect(changed.length - simple.length).toBe(104)
  const several = changed.filter((character) => !simple.includes(character))
  for (const character of several.filter((each) => each !== 'İ' && each !== 'ẞ'))
    expect(foldCase(character)).toBe(foldCase(character.toUpperCase()))
})

test.each([
  ['ΟΔΟΣΑ', 'ΟΔΟΣ'],
  ['ΟΔΟΣ ΑΒ', 'οδος'],
  ['Οδος', 'ΟΔΟΣ'],
  ['STRASSE', 'straße'],
  ['Maẞe', 'MASSE'],
  ['İstanbul', 'İ'],
  ['İstanbul', 'i\u0307STAN'],
  ['Diyarbakır', 'Kır'],
  ['ᏣᎳᎩ', 'ꮳꮃꭹ'],
  ['ＦＵＬＬ ｗｉｄｔｈ', 'full WIDTH'],
  ['Poke\u0301mon', 'POKÉMON'],
  ['Poke\u0301mon', 'poke'],
  ['ﬁrst edition', 'FIRST'],
  ['Ⅸ', 'ix'],
  ['ΐ', 'ΐ'.toUpperCase()],
])('%j is found by %j', (name, term) => {
  expect(isFound(name, term)).toBe(true)
})

test.each([
  ['Pokémon', 'poke'],
  ['Diyarbakır', 'kir'],
  ['Turkish i', 'ı'],
])('%j is not found by %j', (name, term) => {
  expect(isFound(name, term)).toBe(false)
})

test('anything in a name or SKU as written is found, in any characters', () => {
  const unit = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(...'ΣσςİiıIßẞſKÅée\u0301\u0307\u0323\u0345ᾳ가각ᄀ\u1161\u11a8ﬁ　'),
    },
    { weight: 3, arbitrary: fc.constantFrom(...changed) },
    { weight: 2, arbitrary: fc.constantFrom(...composing) },
    { weight: 1, arbitrary: anyText({ minLength: 1, maxLength: 1 }) },
  )
  const text = fc.array(unit, { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (units, from, length) => {
      const written = [...units.join('')]
      const begin = from % written.length
      const part = written.slice(begin, begin + 1 + (length % written.length)).join('')
      expect(isFound(written.join(''), part)).toBe(true)
      expect(isFound('x', part, written.join(''))).toBe(true)
    }),
    { numRuns: scale(100, 400) },
  )
})

test('every character is found by itself, between others', () => {
  for (const character of touched)
    if (!isFound(`a${character}b`, character)) expect.fail(JSON.stringify(character))
})

function isFound(name: string, term: string, sku = 'x'): boolean {
  const text = searchText({ name, sku })
  return searchForms(term.replaceAll('\n', ' ')).some((form) => text.includes(form))
}
