import { expect, test } from 'vitest'
import { pickPage } from '../../../src/cli/report/barcode-pages.ts'
import { textOf } from '../../support/markup.ts'

test('a pick page without orders says that nothing waits', () => {
  const page = pickPage([], { partner: 'Northgate', environment: 'production' }, '2026-11-02T09:30:12.000Z')
  expect(textOf(page)).toContain('No order waits to be picked.')
})
