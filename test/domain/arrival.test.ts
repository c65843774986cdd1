import { describe, expect, test } from 'vitest'
import type { ManifestLine } from '../../src/contract/resources/manifest.ts'
import type { Product } from '../../src/contract/resources/product.ts'
import type { Arrival } from '../../src/contract/resources/sandbox.ts'
import { arrivalFaults, arrivingItem, catalogImagery, identified } from '../../src/domain/items/arrival.ts'
import { gradedSku } from '../../src/domain/items/qid.ts'

const slab: Arrival = {
  type: 'graded_slab',
  name: 'Charizard',
  grader: 'PSA',
  grade: '9',
  cert_number: '1',
  condition_flags: [],
}

describe('an arrival (2.5, decisions 11)', () => {
  test('of a slab is identified by its grading, and gives no SKU', () => {
    expect(arrivalFaults(slab)).toEqual({})
    expect(arrivalFaults({ type: 'graded_slab', sku: 'X', condition_flags: [] })).toEqual({
      sku: ['is only for a product: a slab is given its graded-item SKU'],
      grader: ['is required for a slab'],
      grade: ['is required for a slab'],
      cert_number: ['is required for a slab'],
    })
  })

  test('of a slab without grader says whose address its certificate is', () => {
    const cert_number = 'https://www.cgccards.com/certlookup/4012345678/'
    expect(arrivalFaults({ ...slab, grader: undefined, cert_number })).toEqual({
      grader: ['is required for a slab: this address is of CGC or CSG'],
    })
  })

  test('of a product is identified by its SKU, and gives no grading', () => {
    expect(arrivalFaults({ type: 'product', sku: 'X', condition_flags: [] })).toEqual({})
    expect(arrivalFaults({ ...slab, type: 'product' })).toEqual({
      sku: ['is required for a product'],
      grader: ['is only for a slab; leave it out'],
      grade: ['is only for a slab; leave it out'],
      cert_number: ['is only for a slab; leave it out'],
    })
  })

  test('of a slab is received under its graded-item SKU', () => {
    const item = identified(
      arrivingItem({ ...slab, set: 'Base Set', card_number: '4' }, undefined),
      undefined,
    )
    const card = { grader: 'PSA', grade: '9', name: 'Charizard', set: 'Base Set', card_number: '4' }
    expect(item).toEqual({ type: 'graded_slab', ...card, cert_number: '1', sku: gradedSku(card) })
  })

  test('of a slab has no SKU before identification', () => {
    expect(arrivingItem(slab, undefined).sku).toBe('')
  })

  test('of a nameless slab takes the line’s name, or else its certificate’s', () => {
    const nameless = arrivingItem({ ...slab, name: undefined }, undefined)
    const line = { description: 'Charizard' } as ManifestLine
    expect([identified(nameless, line), identified(nameless, undefined)].map(({ name }) => name)).toEqual([
      'Charizard',
      'PSA 9 1',
    ])
  })

  test("of a product has the catalog's name and keeps its SKU", () => {
    const item = arrivingItem({ type: 'product', sku: 'X', name: 'y', condition_flags: [] }, {
      name: 'Box',
    } as Product)
    expect(identified(item, undefined)).toEqual(item)
    expect(item).toMatchObject({ name: 'Box', sku: 'X', grader: null, grade: null, cert_number: null })
  })

  test('reports no other fault if its type has a fault of form', () => {
    expect(arrivalFaults({ sku: 'X' })).toEqual({})
  })
})

describe('catalog imagery (2.5)', () => {
  test.each([
    ['https://cdn.example/a.webp', 'webp'],
    ['https://cdn.example/a.PNG?size=2', 'png'],
    ['https://cdn.example/a.jpg#top', 'jpeg'],
    ['https://cdn.example/image', 'jpeg'],
  ])('of %s is a front in %s', (image_url, format) => {
    expect(catalogImagery({ image_url } as Product)).toEqual([
      { variant: 'front', url: image_url, width: 1000, height: 1000, format },
    ])
  })

  test('is empty without a picture and without a product', () => {
    expect(catalogImagery({ image_url: null } as Product)).toEqual([])
    expect(catalogImagery(undefined)).toEqual([])
  })
})
