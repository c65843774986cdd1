import { expect, test } from 'vitest'
import { certKey, foldText, graderKey } from '../../src/domain/manifests/normalise.ts'

test.each([
  ['48201934', '48201934'],
  [' 4820 1934 ', '48201934'],
  ['4820-1934', '48201934'],
  ['4820\u20131934', '48201934'],
  ['48\u00a0201934', '48201934'],
  ['ab12', 'AB12'],
  ['0012', '0012'],
  ['12.34', '12.34'],
])('the certificate %j is compared as %s', (text, key) => {
  expect(certKey(text)).toBe(key)
})

test('text is folded to composed lower case', () => {
  expect(foldText('Poke\u0301MON')).toBe('pokémon')
  expect(foldText('POKÉMON')).toBe(foldText('poke\u0301mon'))
})

test('a grader is compared without case and surrounding spaces', () => {
  expect(graderKey(' psa ')).toBe(graderKey('PSA'))
  expect(graderKey('PSA')).not.toBe(graderKey('BGS'))
})
