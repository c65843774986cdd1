import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closestName, editDistance } from '../../src/domain/closest-name.ts'

const columns = [
  'external_ref',
  'description',
  'sku',
  'grader',
  'cert_number',
  'quantity',
  'zip',
  'weight',
  'weight_unit',
]

describe('closestName', () => {
  test.each([
    ['certnumber', 'cert_number'],
    ['Cert Number', 'cert_number'],
    ['cert-nubmer', 'cert_number'],
    ['cert', 'cert_number'],
    ['quantitiy', 'quantity'],
    ['weigth', 'weight'],
    ['weight_units', 'weight_unit'],
    ['descripton', 'description'],
    ['zipcode', 'zip'],
    ['SKUs', 'sku'],
    ['wiegt', 'weight'],
    ['weht', 'weight'],
    ['wei', 'weight'],
  ])('%s was meant to be %s', (given, meant) => {
    expect(closestName(given, columns)).toBe(meant)
  })

  test.each(['', '  ', 'colour', 'x', 'price_paid', 'what we bought at the show '.repeat(50)])(
    '%j is close to no name',
    (given) => {
      expect(closestName(given, columns)).toBeNull()
    },
  )

  test.each([
    ['a', 'ab', 'ab'],
    ['', 'a', null],
    ['abcdefgh', 'ab', null],
    ['ab', 'abcdefgh', null],
  ])('%j for the short name %j: %j', (given, name, meant) => {
    expect(closestName(given, [name])).toBe(meant)
  })

  test('compares no name of more than 100 characters, which would take minutes at 64 KiB', () => {
    const [long, longer] = ['n'.repeat(100), 'n'.repeat(101)]
    expect([closestName(long, [longer]), closestName(longer, [long])]).toEqual([longer, null])
  })

  test('leads back from a name without separators, and from a single typing error in a long one', () => {
    const long = columns.filter((name) => name.length > 4 && !name.startsWith('weight'))
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), fc.constantFrom('x', 'q', ''), (name, place, typed) => {
        const at = place % name.length
        expect(closestName(name.slice(0, at) + typed + name.slice(at + 1), columns)).toBe(name)
      }),
    )
  })
})

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['abc', 'xbc', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('turns %j into %j in %i edits', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance)
  })

  test('is the same in both directions and zero only between equals', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (from, to) => {
        expect(editDistance(from, to)).toBe(editDistance(to, from))
        expect(editDistance(from, to) === 0).toBe(from === to)
      }),
    )
  })
})
