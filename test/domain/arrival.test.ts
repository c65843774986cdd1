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
  test('identifies a slab by its grading, and gives no SKU', () => {
    expect(arrivalFaults(slab)).toEqual({})
    expect(arrivalFaults({ type: 'graded_slab', sku: 'X', condition_flags: [] })).toEqual({
      sku: ['is only for a product: a slab is given its graded-item SKU'],
      grader: ['is required for a slab'],
      grade: ['is required for a slab'],
      cert_number: ['is required for a slab'],
    })
  })

  test('says whose address a certificate is if its slab has no grader', () => {
    const cert_number = 'https://www.cgccards.com/certlookup/4012345678/'
    expect(arrivalFaults({ ...slab, grader: undefined, cert_number })).toEqual({
      grader: ['is required for a slab: this address is of CGC or CSG'],
    })
  })

  test('identifies a product by its SKU, and gives no grading', () => {
    expect(arrivalFaults({ type: 'product', sku: 'X', condition_flags: [] })).toEqual({})
    expect(arrivalFaults({ ...slab, type: 'product' })).toEqual({
      sku: ['is required for a product'],
      grader: ['is only for a slab; leave it out'],
      grade: ['is only for a slab; leave it out'],
      cert_number: ['is only for a slab; leave it out'],
    })
  })

  test('receives a slab under its graded-item SKU', () => {
    const item = identified(
      arrivingItem({ ...slab, set: 'Base Set', card_number: '4' }, undefined),
      undefined,
    )
    const card = { grader: 'PSA', grade: '9', name: 'Charizard', set: 'Base Set', card_number: '4' }
    expect(item).toEqual({ type: 'graded_slab', ...card, cert_number: '1', sku: gradedSku(card) })
  })

  test('gives a slab no SKU before identification', () => {
    expect(arrivingItem(slab, undefined).sku).toBe('')
  })

  test('names a nameless slab after its line, or else after its certificate', () => {
    const nameless = arrivingItem({ ...slab, name: undefined }, undefined)
    const line = { description: 'Charizard' } as ManifestLine
    expect([identified(nameless, line), identified(nameless, undefined)].map(({ name }) => name)).toEqual([
      'Charizard',
      'PSA 9 1',
    ])
  })

  test('gives a product the name in the catalog and keeps its SKU', () => {
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
  ])('is one front image for %s, in %s', (image_url, format) => {
    expect(catalogImagery({ image_url } as Product)).toEqual([
      { variant: 'front', url: image_url, width: 1000, height: 1000, format },
    ])
  })

  test('is empty without a picture and without a product', () => {
    expect(catalogImagery({ image_url: null } as Product)).toEqual([])
    expect(catalogImagery(undefined)).toEqual([])
  })
})
