import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScopedTx } from '../../src/store/database.ts'
import { postgresSearch, selectiveParts } from '../../src/store/postgres/pg-search.ts'
import { anyText } from '../support/any-text.ts'

test.each<[string, string[]]>([
  ['charizard', ['char', 'ard']],
  ['zapdos quill', ['zapd', 'quil']],
  ['gs-psa-9-3czape7t', ['gs-', 'psa', '-9-', 'czap']],
  ['sku0000012345', ['sku', '000', '2345']],
  ['psa-10', ['psa', '-10']],
  ['booster bundle 77', ['boos', 'ter', 'bund', ' 77']],
  ['#4', ['#4']],
  ['10 psa', ['10 ', 'psa']],
  ['a1b2c3', ['a1b2']],
  // These contain no trigram, so either way everything is read.
  ['7 ', []],
  ['ab', []],
  ['- #', []],
])('%j is looked up in the index as %j', (term, parts) => {
  expect(selectiveParts(term)).toEqual(parts)
})

test('a text that holds a term holds its parts, in any characters, and a word of three letters is never dropped', () => {
  const units = fc.oneof(anyText(), fc.constantFrom('abc', '12', ' ', '-', '𝒜𝒷𝒸𝒹𝒺', 'é', '稲妻'))
  const terms = fc.array(units, { maxLength: 6 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(terms, (term) => {
      const parts = selectiveParts(term)
      for (const part of parts) expect([...term].join('\0')).toContain([...part].join('\0'))
      if (/[\p{L}\p{N}]{3}/u.test(term)) expect(parts).not.toEqual([])
    }),
  )
})

test('a term of hundreds of words is looked up by the last ones, in a query short enough to stay prepared', async () => {
  const term = Array.from({ length: 300 }, (_, n) => `word${n}`).join(' ')
  const found = await postgresSearch.candidates({ scope: 1 } as ScopedTx, [term])
  const asked = new Set(found?.from.values.filter((value) => typeof value === 'string'))
  expect([...asked].at(-1)).toBe('%299%')
  expect(asked.size).toBe(12)
})
