import { expect, test } from 'vitest'
import { crockfordCharacter, crockfordValue } from '../../src/domain/items/qid.ts'

test('each of the 32 values has its own character, and decodes from it in lower case too', () => {
  const characters = Array.from({ length: 32 }, (_, value) => crockfordCharacter(value))
  expect(new Set(characters).size).toBe(32)
  for (const [value, character] of characters.entries()) {
    expect(crockfordValue(character)).toBe(value)
    expect(crockfordValue(character.toLowerCase())).toBe(value)
  }
})

test.each([
  ['O', 0],
  ['o', 0],
  ['I', 1],
  ['i', 1],
  ['L', 1],
  ['l', 1],
  ['U', -1],
  ['u', -1],
  ['-', -1],
  ['', -1],
  ['00', -1],
  ['é', -1],
  ['Ω', -1],
])('%j reads as %i', (character, value) => {
  expect(crockfordValue(character)).toBe(value)
})
