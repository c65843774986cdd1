import { describe, expect, test } from 'vitest'
import { slabFaults } from '../../src/domain/graders/slab-faults.ts'
import { areTwoCards, type CardFacts, cardFacts, noFacts } from '../../src/domain/manifests/card-facts.ts'
import { arrivalWords, derivedFlags, itemFacts } from '../../src/domain/manifests/matching.ts'
import { mostSimilar } from '../../src/domain/manifests/phrase-search.ts'
import { words } from '../../src/domain/manifests/text-similarity.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { type CorpusCard, cardCorpus } from '../support/card-corpus.ts'
import { heldPhrases } from '../support/held-phrases.ts'
import { scale } from '../support/soak.ts'

const size = scale(2000, 5000)
const corpus = cardCorpus(size, dice(13))
const facts = corpus.map(({ description }) => cardFacts(description))
const source = heldPhrases(corpus.map(({ description }) => words(description)))

function dice(seed: number): (below: number) => number {
  const random = seededRandom(seed)
  return (below) => {
    const [a = 0, b = 0] = random(2)
    return (a * 256 + b) % below
  }
}

test('real names have no fault', () => {
  expect(corpus.filter(({ description }) => slabFaults({ description }).length > 0)).toEqual([])
})

/** The line that an item is matched to: by its numbers, or by its words alone, as before ruling 13. */
async function lineFor({ item }: CorpusCard, by: CardFacts, without?: number): Promise<number | undefined> {
  const among = {
    ...source,
    placeOf: ({ phrase_no }: { phrase_no: number }) =>
      phrase_no === without || areTwoCards(by, facts[phrase_no]!)
        ? null
        : { manifest_id: 'm', line_no: phrase_no },
  }
  return (await mostSimilar(arrivalWords(item), among as typeof source, by))?.place.line_no
}

const lineOf = (at: number) => ({
  description: corpus[at]!.description,
  grader: null,
  cert_number: null,
  sku: null,
})

describe(`${size} slabs of real sets, with twins of another number, year, grade, qualifier, language, or variant`, () => {
  test('never match clean to the line of another card', async () => {
    const wrong: string[] = []
    let flagged = 0
    for (const [at, card] of corpus.entries()) {
      const line = await lineFor(card, itemFacts(card.item), at)
      if (line === undefined) continue
      if (derivedFlags(card.item, lineOf(line)).length > 0) flagged += 1
      else wrong.push(`${card.id} for ${corpus[line]!.description}`)
    }
    process.stdout.write(
      `of ${size} slabs without their own line: ${wrong.length} matched clean, ${flagged} with a flag\n`,
    )
    expect(wrong.slice(0, 20)).toEqual([])
    expect(flagged).toBeGreaterThan(size / 10)
  })

  test('keep at least 99 % of the right matches by words alone, with a flag only for unclear numbers', async () => {
    let before = 0
    let kept = 0
    let unclear = 0
    const lost: string[] = []
    for (const [at, card] of corpus.entries()) {
      if ((await lineFor(card, noFacts)) !== at) continue
      before += 1
      const flags = derivedFlags(card.item, lineOf(at))
      const isClean = flags.length === 0
      const isFlagged = card.isUnclear && flags.join() === 'label_mismatch'
      const isKept = (await lineFor(card, itemFacts(card.item))) === at && (isClean || isFlagged)
      if (isKept && isFlagged) unclear += 1
      if (isKept) kept += 1
      else lost.push(`${JSON.stringify(card.item)} for ${card.description}`)
    }
    const share = ((100 * kept) / before).toFixed(2)
    process.stdout.write(`${kept} of ${before} right matches kept: ${share} %, ${unclear} with a flag\n`)
    expect(lost.slice(0, 20)).toEqual([])
    expect(before).toBeGreaterThan(size * 0.65)
    expect(kept / before).toBeGreaterThanOrEqual(0.99)
  })
})
