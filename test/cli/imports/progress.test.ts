import { describe, expect, test } from 'vitest'
import { createProgress, progressText } from '../../../src/cli/imports/progress.ts'
import type { Io } from '../../../src/cli/io.ts'
import { collectingOutlet } from '../collecting-outlet.ts'

describe('the progress of an import', () => {
  test.each([
    [45_000, 100_000, 1.5, 'sending 45,000 of 100,000 rows · 30,000/s · 2 s left'],
    [1000, 1_000_000, 10, 'sending 1,000 of 1,000,000 rows · 100/s · 167 min left'],
    [0, 10, 0, 'sending 0 of 10 rows · 0/s · 0 s left'],
  ])('%i of %i after %f s', (done, total, seconds, text) => {
    expect(progressText('sending', done, total, 'rows', seconds)).toBe(text)
  })

  test('writes nothing where there is no terminal', async () => {
    let now = 0
    const err = collectingOutlet()
    const progress = createProgress({ err, now: () => (now += 60_000) } as unknown as Io, 'sending')
    for (let done = 0; done < 10; done++) await progress.update(done, 10, 'rows')
    progress.end()
    expect(err.text).toBe('')
  })
})
