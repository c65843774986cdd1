import { describe, expect, test } from 'vitest'
import { faultsMax } from '../../src/contract/limits.ts'
import { certKey } from '../../src/domain/graders/certificate.ts'
import { graderKey } from '../../src/domain/graders/graders.ts'
import { requestFaults } from '../../src/domain/manifests/manifest.ts'

const [early, late] = ['2026-05-01', '2026-05-02']
const box = { description: 'a box' }

describe('manifest rules beyond its form (2.3, decisions 11)', () => {
  test.each([
    [{ expected_arrival_start: early, expected_arrival_end: late }, {}],
    [{ expected_arrival_start: early, expected_arrival_end: early }, {}],
    [{ expected_arrival_start: late }, {}],
    [{ expected_arrival_end: early }, {}],
    [
      { expected_arrival_start: late, expected_arrival_end: early },
      { expected_arrival_end: ['must not be before expected_arrival_start'] },
    ],
    [{ lines: [{ ...box, cert_number: '1' }] }, {}],
    [{ lines: [{ ...box, cert_number: '1', quantity: 1 }] }, {}],
    [{ lines: [{ ...box, cert_number: null, quantity: 2 }] }, {}],
    [
      { lines: [box, { ...box, cert_number: '1', quantity: 2 }] },
      { 'lines[1].quantity': ['must be 1 with a cert_number: one certificate is one item'] },
    ],
    [{ lines: [{ ...box, sku: 'KNOWN' }, undefined, { ...box, sku: null }] }, {}],
    [{ lines: [undefined, { ...box, sku: 'OTHER' }] }, { 'lines[1].sku': ['is not in the catalog'] }],
  ])('%j: %j', (manifest, faults) => {
    expect(requestFaults(manifest, (sku) => sku === 'KNOWN')).toEqual(faults)
  })

  test('accept every SKU if the catalog cannot be queried', () => {
    expect(requestFaults({ lines: [{ ...box, sku: 'OTHER' }] })).toEqual({})
  })

  test.each([
    ['of the lines only', {}],
    ['of the lines and the window', { expected_arrival_start: late, expected_arrival_end: early }],
  ])('name at most the maximum faults, and stop looking then: %s', (_, window) => {
    const lines = Array.from({ length: 200 }, () => ({ ...box, sku: 'A', cert_number: '1', quantity: 2 }))
    let asked = 0
    const faults = requestFaults({ ...window, lines }, () => {
      asked += 1
      return false
    })
    expect(Object.keys(faults)).toHaveLength(faultsMax)
    expect(asked).toBe(faultsMax / 2)
  })
})

test('keep the stored forms of graders and certificates unchanged', () => {
  expect([graderKey(' psa '), certKey('ab-1 2\u22123')]).toEqual(['PSA', 'AB123'])
})
