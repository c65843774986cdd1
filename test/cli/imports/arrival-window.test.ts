import { expect, test } from 'vitest'
import { checkWindow } from '../../../src/cli/manifests/manifest-csv.ts'

test.each([
  [{ arrivesBy: '2026-13-01' }, '--arrives-by: "2026-13-01" is not a date.'],
  [{ arrivesFrom: 'May 4' }, '--arrives-from: "May 4" is not a date.'],
  [
    { arrivesFrom: '2026-05-04', arrivesBy: '2026-05-03' },
    '--arrives-by 2026-05-03 is before --arrives-from 2026-05-04.',
  ],
])('%j is not an arrival window', (window, message) => {
  expect(() => checkWindow(window)).toThrow(message)
})

test.each([{}, { arrivesBy: '2026-05-03' }, { arrivesFrom: '2026-05-03', arrivesBy: '2026-05-03' }])(
  '%j is an arrival window, or none at all',
  (window) => {
    expect(() => checkWindow(window)).not.toThrow()
  },
)
