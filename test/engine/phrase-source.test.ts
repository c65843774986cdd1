import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadOpenLines } from '../../src/engine/intake/open-lines.ts'
import { phraseSource } from '../../src/engine/intake/phrase-source.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { submit } from '../support/manifests.ts'
import { withWork } from '../support/with-work.ts'

describe.each(databases)('phrases of open lines over $name (decisions 6)', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  test.each([
    ['narrower', { least: 1, most: 9 }],
    ['other', { least: 1, most: 2 }],
  ])('what a probe was cut off at hides nothing from a %s one of the same word', async (_, earlier) => {
    await submit(harness.client, 'PO-1', ['box one', 'box two', 'box three', 'box of five other words'])
    const found = await withWork(harness, async (work) => {
      const source = phraseSource(work, await loadOpenLines(work, null))
      const cut = await source.find({ word: 'box', ...earlier, limit: 2 })
      const phrases = await source.find({ word: 'box', least: 4, most: 9, limit: 2 })
      return [cut, phrases].map((list) => list.map(({ words }) => words.length))
    })
    expect(found).toEqual([[2, 2], [5]])
  })
})
