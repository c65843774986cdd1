import { expect, test } from 'vitest'
import { pickPage } from '../../../src/cli/report/barcode-pages.ts'
import type { Fulfillment } from '../../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../../src/contract/resources/item.ts'
import { textOf } from '../../support/markup.ts'
import { prepareScanner, scanned } from '../../support/scanned-codes.ts'

const pageOf = (items: Item[]) =>
  pickPage(
    items.map((item) => ({ order: { external_ref: 'SO-1' } as Fulfillment, items: [item] })),
    { partner: 'Northgate', environment: 'production' },
    '2026-11-02T09:30:12.000Z',
  )

test('a pick page without orders says that nothing waits', () => {
  expect(textOf(pageOf([]))).toContain('No order waits to be picked.')
})

test('a slab whose certificate was sent as the address of its QR code has a barcode of the number', async () => {
  await prepareScanner()
  const cert_number = 'https://www.psacard.com/cert/61000001/psa'
  const slab = { qid: 'Q-7F3K-9M2P-X4TA', name: 'Mew', sku: 'GS', grader: 'PSA', grade: '9', cert_number }
  const codes = await scanned(pageOf([slab as Item]))
  expect(codes).toEqual([['Code128: Q-7F3K-9M2P-X4TA'], ['Code128: 61000001']])
})
