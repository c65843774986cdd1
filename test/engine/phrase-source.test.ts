import { describe, expect, test } from 'vitest'
import { noFacts } from '../../src/domain/manifests/card-facts.ts'
import type { KnownPhrase, PhraseProbe, PhraseSource } from '../../src/domain/manifests/phrase-search.ts'
import { type OpenLines, openLines } from '../../src/engine/intake/open-lines.ts'
import { phraseSource } from '../../src/engine/intake/phrase-source.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { Lookups } from '../support/lookups.ts'
import { submit } from '../support/manifests.ts'
import { withWork } from '../support/with-work.ts'

describe.each(usualDatabases)('phrases of open lines over $name (decisions 6)', (database) => {
  const harness = forEachTest(harnessWith(database))

  type Batch = { source: PhraseSource; lines: OpenLines; lookups: Lookups }

  /** What one batch of arrivals looks up, for one manifest or for all. */
  const inBatch = <T>(task: (batch: Batch) => Promise<T>, manifestId: string | null = null): Promise<T> =>
    withWork(harness, async ({ tx, ...work }) => {
      const lookups = new Lookups()
      const noted = { ...work, tx: lookups.within(tx) }
      const lines = openLines(noted, manifestId, new Set())
      return task({ source: phraseSource(noted, lines), lines, lookups })
    })
  const sizesOf = (phrases: readonly KnownPhrase[]) => phrases.map(({ words }) => words.length)

  test.each([
    ['narrower', { least: 1, most: 9 }],
    ['other', { least: 1, most: 2 }],
  ])('are not hidden from a %s one of the same word by a limited probe', async (_, earlier) => {
    await submit(harness.client, 'PO-1', ['box one', 'box two', 'box three', 'box of five other words'])
    const found = await inBatch(async ({ source }) => {
      const cut = await source.find({ word: 'box', ...earlier, limit: 2 })
      const phrases = await source.find({ word: 'box', least: 4, most: 9, limit: 2 })
      return [cut, phrases].map(sizesOf)
    })
    expect(found).toEqual([[2, 2], [5]])
  })

  type Step = readonly [probe: Omit<PhraseProbe, 'word'>, found: readonly number[], reads: 0 | 1]
  const upTo = (least: number, most: number, limit = 9) => ({ least, most, limit })

  test.each<[string, readonly Step[]]>([
    [
      'a narrower one and the same again read nothing, one of shorter phrases reads them with those',
      [
        [upTo(3, 9), [5], 1],
        [upTo(3, 9), [5], 0],
        [upTo(4, 6), [5], 0],
        [upTo(1, 4), [2, 2, 2, 5], 1],
        [upTo(1, 9), [2, 2, 2, 5], 0],
      ],
    ],
    [
      'one of longer phrases reads them with those',
      [
        [upTo(1, 3), [2, 2, 2], 1],
        [upTo(3, 6), [2, 2, 2, 5], 1],
        [upTo(1, 6), [2, 2, 2, 5], 0],
      ],
    ],
    [
      'one that takes more phrases is not cut off where the one before was',
      [
        [upTo(2, 9, 1), [2], 1],
        [upTo(1, 9, 3), [2, 2, 2], 1],
        [upTo(1, 9, 3), [2, 2, 2], 0],
      ],
    ],
  ])('are found by probes of one word in a batch, %s', async (_, steps) => {
    await submit(harness.client, 'PO-1', ['box one', 'box two', 'box three', 'box of five other words'])
    await inBatch(async ({ source, lookups }) => {
      lookups.take()
      const known = new Map<number, KnownPhrase>()
      for (const [probe, found, reads] of steps) {
        const phrases = await source.find({ word: 'box', ...probe })
        expect(sizesOf(phrases)).toEqual(found)
        expect(lookups.take()).toEqual(Array(reads).fill('phrases'))
        // Each is split into words once.
        for (const phrase of phrases) {
          expect(known.get(phrase.phrase_no) ?? phrase).toBe(phrase)
          known.set(phrase.phrase_no, phrase)
        }
      }
    })
  })

  test('are counted once in a batch for each word', async () => {
    await submit(harness.client, 'PO-1', ['box one', 'box two', 'one'])
    await inBatch(async ({ source, lookups }) => {
      lookups.take()
      for (const [words, counts, reads] of [
        [['box', 'one', 'none'], [2, 2, 0], 1],
        [['none', 'box'], [0, 2], 0],
        [['box', 'two'], [2, 1], 1],
      ] as const) {
        const frequency = await source.frequencies(words)
        expect(words.map(frequency)).toEqual(counts)
        expect(lookups.take()).toEqual(Array(reads).fill('counts'))
      }
    })
  })

  test('are looked up for their first line only if it was filled or belongs to another manifest, and once', async () => {
    const older = await submit(harness.client, 'PO-1', ['box one'])
    const mine = await submit(harness.client, 'PO-2', ['box two', 'box two'])
    await submit(harness.client, 'PO-3', ['box three'])
    const placesOf = async ({ source, lookups }: Batch, most: number) => {
      const phrases = await source.find({ word: 'box', ...upTo(1, most) })
      lookups.take()
      const places = []
      for (const phrase of phrases) places.push(await source.placeOf(phrase, noFacts))
      return [places.map((place) => place && [place.manifest_id, place.line_no]), lookups.take()]
    }
    const arrival = { condition_flags: [], key: 'description', score: 1 } as const
    await inBatch(async (batch) => {
      const { lines, lookups } = batch
      expect(lookups.take()).toEqual([])
      expect(await placesOf(batch, 2)).toEqual([[null, [mine.id, 1], null], ['lines by words']])
      // Wider, so the phrases are read again.
      expect(await placesOf(batch, 3)).toEqual([[null, [mine.id, 1], null], []])
      const { key = '' } = (await batch.source.find({ word: 'box', ...upTo(1, 3) }))[1] ?? {}
      for (const at of [1, 2]) {
        for await (const line of lines.withKey('phrase_key', key)) {
          lines.fill(line, `Q-${at}`, arrival)
          break
        }
        const place = at === 1 ? [mine.id, 2] : null
        expect((await placesOf(batch, 3))[0]).toEqual([null, place, null])
        expect(await placesOf(batch, 3)).toEqual([[null, place, null], []])
      }
    }, mine.id)
    await inBatch(async (batch) => {
      const [places, looked] = await placesOf(batch, 2)
      expect([places?.slice(0, 2), looked]).toEqual([
        [
          [older.id, 1],
          [mine.id, 1],
        ],
        [],
      ])
    })
  })
})
