import { describe, expect, test } from 'vitest'
import { mostSimilar, type PhraseProbe, type PhraseSource } from '../../src/domain/manifests/phrase-search.ts'
import { heldPhrases } from '../support/held-phrases.ts'

const wordsOf = (text: string): string[] => text.split(' ')
const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${letter}${String(n).padStart(2, '0')}`)

/** The lookups that find the phrase most similar to one of the readings. */
async function probesFor(
  readings: string[][],
  phrases: string[][],
  other: Partial<PhraseSource> = {},
): Promise<PhraseProbe[]> {
  const source = heldPhrases(phrases)
  const probes: PhraseProbe[] = []
  const find: typeof source.find = (probe) => {
    probes.push(probe)
    return source.find(probe)
  }
  await mostSimilar(readings, { ...source, ...other, find })
  return probes
}

/** A probe as `WORD LEAST-MOST`, where the numbers limit a phrase's word count. */
const inWords = ({ word, least, most }: PhraseProbe): string => `${word} ${least}-${most}`

describe('the most similar phrase (decisions 6)', () => {
  test.each<[string, string[], string[], { at: number; score: number } | null]>([
    ['three of four words in common are enough', ['a b c d'], ['a b c x'], { at: 0, score: 0.75 }],
    ['fewer are not enough', ['a b c d'], ['a b c x y', 'a b x', 'x'], null],
    [
      'the most similar phrase wins, whatever its position',
      ['a b c d'],
      ['a b c x', 'a b c d e', 'd c b a', 'a b c d y'],
      { at: 2, score: 1 },
    ],
    [
      'of equals the first wins, even if a rarer word leads to the other',
      ['a b c d'],
      ['a b c x', 'b c d y', 'a z'],
      { at: 0, score: 0.75 },
    ],
    ['of equals the first wins', ['a b c d'], ['a b c x', 'a b c y'], { at: 0, score: 0.75 }],
    ['the last of the readings counts', ['a', 'a b', 'a b c d'], ['a b c d e'], { at: 0, score: 8 / 9 }],
    ['the first of the readings counts', ['a b c d', 'a b c d e'], ['a b c d'], { at: 0, score: 1 }],
    ['a reading without words finds nothing', [], ['a'], null],
  ])('%s', async (_, readings, phrases, expected) => {
    const found = await mostSimilar(readings.map(wordsOf), heldPhrases(phrases.map(wordsOf)))
    expect(found && { at: found.place.line_no, score: found.score }).toEqual(expected)
  })

  test('is not changed by a worse one of an earlier line, in any reading order', async () => {
    const source = heldPhrases(['a b c x', 'a b c d', 'a b c y'].map(wordsOf))
    const find: typeof source.find = async (probe) => [...(await source.find(probe))].reverse()
    const found = await mostSimilar([wordsOf('a b c d')], { ...source, find })
    expect(found).toMatchObject({ score: 1, place: { line_no: 1 } })
  })

  test('is the next one if all lines of the best have arrived', async () => {
    const source = heldPhrases([
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'x'],
    ])
    const placeOf: typeof source.placeOf = (phrase, facts) =>
      phrase.phrase_no === 0 ? null : source.placeOf(phrase, facts)
    const found = await mostSimilar([['a', 'b', 'c', 'd']], { ...source, placeOf })
    expect(found).toMatchObject({ phrase: { phrase_no: 1 }, score: 0.75 })
  })
})

// To reach 3/4: a phrase of b words without any of r words of a reading of a words scores 2 (a - r) / (a + b) at most.
describe('lookups for the most similar phrase', () => {
  test.each([
    ['words until a phrase without them cannot be similar enough', ['a b c d'], [], ['a 3-6', 'b 3-4']],
    ['the rarest words first', ['a b c d'], ['a b', 'b c', 'b x'], ['d 3-6', 'a 3-4']],
    ['of equally rare words the first in the alphabet', ['d c b a'], [], ['a 3-6', 'b 3-4']],
    ['nothing more after an equal phrase', ['a b c d'], ['a b c d'], ['a 3-6']],
    [
      'after a similar phrase, only words of phrases that may be as similar',
      ['a b c d e f g h'],
      ['a b c d e f g h x y'],
      ['a 5-13', 'b 7-7'],
    ],
    ['for a single word, that word', ['a'], [], ['a 1-1']],
    [
      'for several readings, the words that any of them needs',
      ['a b c d', 'a b c d e f g h'],
      [],
      ['a 3-13', 'b 3-10', 'c 5-8', 'd 5-5'],
    ],
    [
      'each reading by its own words',
      ['a b c d', 'a b c d e f g h'],
      ['a b', 'c d'],
      ['e 5-13', 'f 5-10', 'g 5-8', 'h 5-5', 'a 3-6', 'b 3-4'],
    ],
  ])('%s', async (_, readings, phrases, expected) => {
    const probes = await probesFor(readings.map(wordsOf), phrases.map(wordsOf))
    expect(probes.map(inWords)).toEqual(expected)
  })

  test('find a phrase of too many words for the index by its word count alone', async () => {
    const probes = (await probesFor([numbered('w', 15)], [])).map(inWords)
    expect(probes).toEqual([
      'w00 9-24',
      'w01 9-22',
      'w02 9-19',
      'w03 9-17',
      'w04 9-14',
      'w05 9-11',
      'w06 9-9',
      ' 25-25',
    ])
    expect((await probesFor([numbered('w', 14)], [])).map(inWords).at(-1)).toBe('w05 9-10')
    expect((await probesFor([numbered('w', 42)], [])).map(inWords)).toEqual([' 26-70'])
  })

  test('read fewer phrases the more words each has: 50,000 words in all, and at least ten for each', async () => {
    const limits = async (size: number) =>
      (await probesFor([numbered('w', size)], [])).map(({ limit }) => limit)
    expect(new Set(await limits(4))).toEqual(new Set([5_000]))
    expect(new Set(await limits(20))).toEqual(new Set([4_167, 2_000]))
  })
})

/** All words are equally rare, so they are ordered alphabetically. */
const common: PhraseSource['frequencies'] = async () => () => 0

describe('an item similar to thousands of phrases is compared with 50,000 words (docs/decisions.md)', () => {
  const name = numbered('w', 20)
  const alike = (count: number): string[][] =>
    Array.from({ length: count }, (_, no) => [...name.slice(0, 18), `x${no}`, `y${no}`])

  test.each([
    ['the 2,500th of twenty words is still compared', 2499, 2499],
    ['the next is not', 2500, 0],
  ])('%s', async (_, before, at) => {
    const found = await mostSimilar([name], heldPhrases([...alike(before), name.slice(0, 18)]))
    expect(found?.place.line_no).toBe(at)
  })

  test('phrases that a lookup returns unasked do not count', async () => {
    // Too short to be similar, and no word of the others is rarer for them.
    const short = Array.from({ length: 1000 }, (_, no) => [
      ...name.slice(no % 2 ? 8 : 0).slice(0, 10),
      `z${no}`,
    ])
    const source = heldPhrases([...short, ...alike(2499), name.slice(0, 18)])
    const find: typeof source.find = (probe) => source.find({ ...probe, least: 1, limit: 10_000 })
    expect((await mostSimilar([name], { ...source, find }))?.place.line_no).toBe(3499)
  })

  test('counting a phrase once if several lookups return it', async () => {
    const half = Array.from({ length: 2000 }, (_, no) => [...wordsOf('a b c d'), `n${no}`])
    const source = heldPhrases([...half, wordsOf('d e f g h')])
    const found = await mostSimilar([wordsOf('a b c d e f g h')], { ...source, frequencies: common })
    expect(found?.place.line_no).toBe(2000)
  })

  test('no further lookup follows, and each phrase counts as at least ten', async () => {
    const letters = wordsOf('b c d e f')
    const unlike = Array.from({ length: 5000 }, (_, no) => [
      'a',
      ...letters.map((letter) => `${letter}${no}`),
    ])
    const reading = wordsOf('a b c d e f g h')
    const all = await probesFor([reading], unlike, { frequencies: common })
    expect(all.map(inWords)).toEqual(['a 5-13'])
    const fewer = await probesFor([reading], unlike.slice(1), { frequencies: common })
    expect(fewer.map(inWords)).toEqual(['a 5-13', 'b 5-10', 'c 5-8', 'd 5-5'])
  })
})
