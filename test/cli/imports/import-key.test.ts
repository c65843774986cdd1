import { describe, expect, test } from 'vitest'
import { formatFlags } from '../../../src/cli/imports/formats/format-flags.ts'
import { chunkKey, fingerprintOf, importKey } from '../../../src/cli/imports/import-key.ts'
import { productsFile } from '../../../src/cli/imports/import-kind.ts'
import { optionsFingerprint } from '../../../src/cli/imports/import-options.ts'

const identity = { target: 't', endpoint: 'products', sha256: 'abc', options: optionsFingerprint({}) }

describe('the key of an import', () => {
  test('is the same for the same target, endpoint, bytes and options, and another for each other', () => {
    const same = fingerprintOf({ ...identity })
    expect(fingerprintOf(identity)).toBe(same)
    const others = [
      { ...identity, target: 'u' },
      { ...identity, endpoint: 'fulfillments' },
      { ...identity, sha256: 'abd' },
      { ...identity, options: optionsFingerprint({ map: ['a=sku'] }) },
      { ...identity, options: optionsFingerprint({ ignoreColumns: 'a' }) },
      { ...identity, options: optionsFingerprint({ lint: false }) },
    ].map(fingerprintOf)
    expect(new Set([same, ...others]).size).toBe(7)
    expect(importKey(same, {})).toBe(`import-${same}`)
  })

  test('does not depend on the order of --map', () => {
    expect(optionsFingerprint({ map: ['a=sku', 'b=name'] })).toBe(
      optionsFingerprint({ map: ['b=name', 'a=sku'] }),
    )
  })

  test('is new each time with --again, and given with --idempotency-key', () => {
    expect(importKey('f', { again: true })).not.toBe(importKey('f', { again: true }))
    expect(importKey('f', { idempotencyKey: 'nightly' })).toBe('nightly')
  })

  test('has a part for each chunk, but not where there is one', () => {
    expect(chunkKey('k', 1, 1)).toBe('k')
    expect([1, 2].map((chunk) => chunkKey('k', chunk, 2))).toEqual(['k-1', 'k-2'])
  })
})

describe('the columns that flags name', () => {
  test('renamed and ignored ones', () => {
    const { named } = formatFlags(productsFile, { map: ['Item = No=sku'], ignoreColumns: ' Price ,Stock' })
    expect(named).toMatchObject({ renamed: [['Item = No', 'sku']], ignored: ['price', 'stock'] })
  })

  test('a column cannot be both renamed and ignored', () => {
    const both = { map: ['Item No=sku'], ignoreColumns: 'price,item no' }
    expect(() => formatFlags(productsFile, both)).toThrow('--map and --ignore-columns both name "Item No".')
  })

  test.each([
    [{ map: ['sku'] }, '--map: "sku" is not of the form theirs=ours.'],
    [{ map: ['a=skuu'] }, '--map: there is no column "skuu".'],
    [{ set: ['length'] }, '--set: "length" is not of the form column=value.'],
    [{ delimiter: 'pipe' }, '--delimiter: "pipe" is not one of comma, semicolon and tab.'],
    [{ from: 'shopify-product' }, '--from: there is no preset "shopify-product".'],
  ])('%j is refused', (options, message) => {
    expect(() => formatFlags(productsFile, options)).toThrow(message)
  })
})
