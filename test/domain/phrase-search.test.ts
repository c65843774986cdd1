import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostSimilar } from '../../src/domain/manifests/phrase-search.ts'
import { similarity, similarityMin } from '../../src/domain/manifests/text-similarity.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { heldPhrases } from '../support/held-phrases.ts'
import { scale, seed } from '../support/soak.ts'

type Words = readonly string[]

/** The rule: compare every phrase with every reading. */
function byRule(readings: readonly Words[], phrases: readonly Words[]): { at: number; score: number } | null {
  let best: { at: number; score: number } | null = null
  for (const [at, phrase] of phrases.entries()) {
    const score = Math.max(0, ...readings.map((reading) => similarity(reading, phrase)))
    if (score >= similarityMin && (best === null || score > best.score)) best = { at, score }
  }
  return best
}

async function bySearch(readings: readonly Words[], phrases: readonly Words[]) {
  const source = heldPhrases(phrases)
  const found = await mostSimilar(readings, source)
  return { best: found && { at: found.place.line_no, score: found.score }, read: source.read() }
}

describe('the most similar phrase (decisions 6)', () => {
  test('is found among phrases of any size next to those looked up word by word', async () => {
    const wide = fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 18, maxLength: 41 })
    await fc.assert(
      fc.asyncProperty(fc.array(wide, { minLength: 1, maxLength: 8 }), wide, async (sets, words) => {
        const phrases = [
          ...new Set(
            sets.map((set) =>
              set
                .map((n) => `w${n}`)
                .sort()
                .join(' '),
            ),
          ),
        ].map((text) => text.split(' '))
        const readings = [words.map((n) => `w${n}`)]
        expect((await bySearch(readings, phrases)).best).toEqual(byRule(readings, phrases))
      }),
      { numRuns: scale(50, 200) },
    )
  })

  test('is found by its rarest word, without reading thousands of others, if it is nearly equal', async () => {
    const phrases = Array.from({ length: 5000 }, (_, no) => ['base', 'set', 'holo', 'rare', 'psa', `n${no}`])
    const { best, read } = await bySearch([['base', 'set', 'holo', 'rare', 'n4711']], phrases)
    expect(best).toEqual({ at: 4711, score: 10 / 11 })
    expect(read).toBe(1)
  })

  test.each([
    [12, 20],
    [60, 100],
  ])('costs one item a bounded number of words, however many are similar (%i of %i)', async (size, from) => {
    const vocabulary = Array.from({ length: from }, (_, n) => `w${n}`)
    const phrase = (no: number): string[] =>
      vocabulary.filter((_, n) => ((no * 2654435761 + n * 40503 * (no + 1)) >>> 7) % from < size)
    const read = async (count: number): Promise<number> =>
      (
        await bySearch(
          [vocabulary.slice(0, size)],
          Array.from({ length: count }, (_, no) => [...phrase(no), `n${no}`]),
        )
      ).read
    expect(await read(20_000)).toBeLessThanOrEqual(10_000)
  })

  test('is the one that an exhaustive search finds, in random cases', async () => {
    const bytes = seededRandom(seed)
    let at = 0
    let drawn = bytes(60_000)
    const roll = (below: number): number => {
      if (at + 2 > drawn.length) [at, drawn] = [0, bytes(60_000)]
      at += 2
      return (drawn[at - 1]! * 256 + drawn[at - 2]!) % below
    }
    const some = (from: number, most: number): string[] => [
      ...new Set(Array.from({ length: 1 + roll(most) }, () => `w${roll(from)}`)),
    ]
    let matched = 0
    const rounds = scale(100, 500)
    for (let round = 0; round < rounds; round++) {
      const most = round % 10 === 0 ? 60 : 9
      const from = most * (1 + (round % 3))
      const phrases = [...new Set(Array.from({ length: 30 }, () => some(from, most).sort().join(' ')))].map(
        (text) => text.split(' '),
      )
      for (let arrival = 0; arrival < 20; arrival++) {
        const name = some(from, most)
        const readings = roll(2) ? [name] : [name, [...new Set([...name, ...some(from, 3)])]]
        const expected = byRule(readings, phrases)
        if (expected) matched += 1
        expect((await bySearch(readings, phrases)).best, JSON.stringify({ readings, phrases })).toEqual(
          expected,
        )
      }
    }
    expect(matched).toBeGreaterThan(2 * rounds)
  })
})
