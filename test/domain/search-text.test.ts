import { expect, test } from 'vitest'
import { searchTerm, searchText } from '../../src/domain/items/search-text.ts'

test('what is searched is name and SKU without case, and a term fits into one of them alone', () => {
  const text = searchText({ name: 'Pokémon ÉLITE\nBox', sku: 'PKM-Ü1' })
  expect(text).toBe('pokémon élite box\npkm-ü1')
  expect(text).toContain(searchTerm('E\u0301lite\nBOX'))
  expect(text).not.toContain(searchTerm('box\npkm'))
})
