import { describe, expect, test } from 'vitest'
import type { Arrival } from '../../src/contract/resources/sandbox.ts'
import { arrivingItem } from '../../src/domain/items/arrival.ts'
import { hasRoom } from '../../src/domain/manifests/manifest.ts'
import { phraseOf } from '../../src/domain/manifests/phrase.ts'
import { sql } from '../../src/store/database.ts'
import { sumCounts } from '../../src/store/tables/counts.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { type Harness, startHarness, usualDatabases } from '../support/harness.ts'
import { lineByRule } from '../support/line-rule.ts'
import { arrive, type LineSent, manifestOf, stockCatalog, submit } from '../support/manifests.ts'
import { withWork } from '../support/with-work.ts'

type ModelLine = {
  id: string
  description: string
  grader: string | null
  cert_number: string | null
  sku: string | null
  quantity: number
  clean: number
  flagged: number
}

const vocabulary =
  'base set holo charizard pikachu jungle fossil rare 1999 2003 psa 9 10 first edition'.split(' ')
const skus = ['ETB-1', 'ETB-2', 'ETB-3']

/** Numbers below a limit, the same for the same seed. */
function dice(seed: number): (below: number) => number {
  const random = seededRandom(seed)
  return (below) => {
    const [a = 0, b = 0] = random(2)
    return (a * 256 + b) % below
  }
}

function phrase(roll: (below: number) => number): string {
  return Array.from({ length: 1 + roll(7) }, () => vocabulary[roll(vocabulary.length)]).join(' ')
}

function randomLine(roll: (below: number) => number): LineSent {
  const description = phrase(roll)
  const kind = roll(6)
  if (kind === 0) return { description, grader: roll(2) ? 'PSA' : null, cert_number: String(roll(20)) }
  if (kind === 1) return { description, sku: skus[roll(3)], quantity: 1 + roll(3) }
  if (kind === 2) return { description, sku: skus[roll(3)], grader: 'PSA', cert_number: String(roll(20)) }
  return { description, quantity: 1 + roll(2) }
}

function randomArrival(roll: (below: number) => number): Arrival {
  const condition_flags = roll(5) === 0 ? ['damaged'] : []
  if (roll(4) === 0) return { type: 'product', sku: skus[roll(3)], condition_flags }
  const graded = { grader: roll(3) ? 'psa' : 'BGS', grade: '9', cert_number: String(roll(30)) }
  return { type: 'graded_slab', name: phrase(roll), ...graded, condition_flags }
}

/** The rules alone, over all open lines at once. */
function expectedLine(lines: readonly ModelLine[], arrival: Arrival): ModelLine | undefined {
  const product = arrival.sku === undefined ? undefined : { name: `Product ${arrival.sku}` }
  const open = lines.filter(hasRoom)
  return lineByRule(arrivingItem(arrival, product as never), open)?.line
}

async function openManifests(harness: Harness, roll: (below: number) => number): Promise<ModelLine[]> {
  const lines: ModelLine[] = []
  for (let manifest = 0; manifest < 6; manifest++) {
    const sent = Array.from({ length: 1 + roll(12) }, () => randomLine(roll))
    const { id } = await submit(harness.client, `PO-${manifest}`, sent)
    for (const line of (await manifestOf(harness.client, id)).lines)
      lines.push({ ...line, clean: 0, flagged: 0 })
  }
  return lines
}

/** What is stored about words in addition to the open lines: the phrases to find, and the count of each word. */
async function keptWords(harness: Harness): Promise<{ phrases: string[]; rows: number; counted: number }> {
  return withWork(harness, async ({ tx, scope }) => {
    const kept = await tx.all<{ phrase_key: string }>(
      sql`select phrase_key from phrases where scope_id = ${scope.id} order by phrase_key`,
    )
    const phrases = kept.map((row) => row.phrase_key)
    const rows = await tx.all(sql`select word from phrase_words where scope_id = ${scope.id}`)
    return { phrases, rows: rows.length, counted: await sumCounts(tx, 'words') }
  })
}

describe.each(usualDatabases)('matching over $name (3.2, decisions 6)', (database) => {
  test.each([1, 2, 3, 4, 5, 6])(
    'finds the line that the rules choose from all open lines, in batches of any size (seed %i)',
    async (seed) => {
      const harness = await startHarness(database)
      await stockCatalog(harness.client, ...skus)
      const roll = dice(seed)
      const lines = await openManifests(harness, roll)
      for (let batch = 0; batch < 8; batch++) {
        const arrivals = Array.from({ length: 1 + roll(12) }, () => randomArrival(roll))
        const intakes = await arrive(harness.client, arrivals)
        for (const [at, arrival] of arrivals.entries()) {
          const line = expectedLine(lines, arrival)
          if (line) line[intakes[at]?.condition_flags.length ? 'flagged' : 'clean'] += 1
          expect(intakes[at]?.manifest_line_id, JSON.stringify(arrival)).toBe(line?.id ?? null)
        }
      }
      await harness.close()
    },
  )

  test('keeps the words of lines while a line with them is open, and not longer', async () => {
    const harness = await startHarness(database)
    const { client } = harness
    const first = await submit(client, 'PO-1', [
      'Charizard Holo',
      { description: 'holo charizard', quantity: 2 },
      'Pikachu',
    ])
    await submit(client, 'PO-2', ['Charizard Holo'])
    const charizard = phraseOf(['charizard', 'holo']).key
    const pikachu = phraseOf(['pikachu']).key
    expect(await keptWords(harness)).toEqual({ phrases: [charizard, pikachu].sort(), rows: 3, counted: 3 })
    await arrive(client, [
      { type: 'graded_slab', name: 'Pikachu', grader: 'PSA', grade: '9', cert_number: '1' },
    ])
    expect(await keptWords(harness)).toEqual({ phrases: [charizard], rows: 2, counted: 2 })
    await client.closeManifest({ params: { manifest_id: first.id } })
    expect(await keptWords(harness)).toEqual({ phrases: [charizard], rows: 2, counted: 2 })
    await arrive(client, [
      { type: 'graded_slab', name: 'Charizard Holo', grader: 'PSA', grade: '9', cert_number: '2' },
    ])
    expect(await keptWords(harness)).toEqual({ phrases: [], rows: 0, counted: 0 })
    await harness.close()
  })
})
