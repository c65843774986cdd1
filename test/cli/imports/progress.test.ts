import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/cli/base/io.ts'
import { createProgress, progressText } from '../../../src/cli/output/progress.ts'
import { collectingOutlet } from '../collecting-outlet.ts'

describe('the progress of an import', () => {
  test.each([
    [45_000, 100_000, 1.5, 'sending 45,000 of 100,000 rows · 30,000/s · 2 s left'],
    [1000, 1_000_000, 10, 'sending 1,000 of 1,000,000 rows · 100/s · 167 min left'],
    [0, 10, 0, 'sending 0 of 10 rows · 0/s · 0 s left'],
  ])('%i of %i after %f s', (done, total, seconds, text) => {
    expect(progressText('sending', { first: 0, done, total, unit: 'rows', seconds })).toBe(text)
  })

  test('is in megabytes while a file is checked', () => {
    const stand = { first: 0, done: 52_700_000, total: 159_330_597, unit: 'bytes', seconds: 4 }
    expect(progressText('checking', stand)).toBe('checking 52.7 of 159.3 MB · 13.2 MB/s · 9 s left')
  })

  test('counts what a resumed run did itself', () => {
    const stand = { first: 50_000, done: 60_000, total: 100_000, unit: 'rows', seconds: 2 }
    expect(progressText('sending', stand)).toBe('sending 60,000 of 100,000 rows · 5,000/s · 8 s left')
  })

  test('writes nothing without a terminal', async () => {
    let now = 0
    const err = collectingOutlet()
    const progress = createProgress({ err, now: () => (now += 60_000) } as unknown as Io, 'sending')
    for (let done = 0; done < 10; done++) await progress.update(done, 10, 'rows')
    progress.end()
    expect(err.text).toBe('')
  })
})
