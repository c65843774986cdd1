import { expect, test } from 'vitest'
import { gradedSku } from '../../src/domain/items/qid.ts'

const charizard = { grader: 'PSA', grade: '10', name: 'Charizard', set: 'Base Set', card_number: '4' }

test('a graded SKU consists of GS, grader, grade, and eight base32 characters', () => {
  expect(gradedSku(charizard)).toMatch(/^GS-PSA-10-[0-9A-HJKMNP-TV-Z]{8}$/)
  expect(gradedSku({ ...charizard, grader: 'bgs', grade: '9.5' })).toMatch(/^GS-BGS-9\.5-/)
  expect(gradedSku({ ...charizard, grade: 'Gem Mint 10' })).toMatch(/^GS-PSA-GEMMINT10-/)
  expect(gradedSku({ ...charizard, grade: '-' })).toMatch(/^GS-PSA-NA-/)
})

test('the hash of a known card never changes, so stored SKUs stay valid', () => {
  expect(gradedSku(charizard)).toBe('GS-PSA-10-64PCV8F5')
})

test('case, composition, and spaces do not change a graded SKU', () => {
  expect(gradedSku({ ...charizard, name: ' CHARIZARD ', set: 'base  set', grader: 'psa' })).toBe(
    gradedSku(charizard),
  )
  expect(gradedSku({ ...charizard, name: 'Flabe\u0301be\u0301' })).toBe(
    gradedSku({ ...charizard, name: 'Flabébé' }),
  )
})

test('another name, set, or number changes the graded SKU, and the parts never run together', () => {
  const others = [
    { ...charizard, name: 'Blastoise' },
    { ...charizard, set: 'Jungle' },
    { ...charizard, set: null },
    { ...charizard, card_number: '5' },
    { ...charizard, card_number: null },
    { ...charizard, name: 'Charizard Base', set: 'Set' },
    { ...charizard, set: 'Base Set 4', card_number: null },
  ]
  const skus = [charizard, ...others].map(gradedSku)
  expect(new Set(skus).size).toBe(skus.length)
})

test('unknown facts of a card keep their stored hash', () => {
  const card = { grader: 'PSA', grade: '10', name: 'Charizard', set: null, card_number: null }
  expect(gradedSku(card)).toBe('GS-PSA-10-77E6FJ55')
})
