import { beforeEach, describe, expect, test } from 'vitest'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import {
  type ArrivalSent,
  arrive,
  type LineSent,
  manifestOf,
  named,
  product,
  slab,
  slabLine,
  stockCatalog,
  submit,
} from '../support/manifests.ts'

describe.each(usualDatabases)('matching over $name (3.2, decisions 6)', (database) => {
  const harness = forEachTest(harnessWith(database))
  beforeEach(async () => {
    await stockCatalog(harness.client, 'ETB-1', 'ETB-2')
  })

  /** The manifests submitted in turn as A, B, ...; returns the line that each arrival is matched to, as `A1`. */
  async function match(
    manifests: ReadonlyArray<ReadonlyArray<LineSent | string>>,
    arrivals: readonly ArrivalSent[],
    attributedTo?: number,
  ): Promise<Array<string | null>> {
    const names = new Map<string, string>()
    const ids: Array<{ id: string }> = []
    for (const [at, lines] of manifests.entries()) {
      const manifest = await submit(harness.client, `PO-${at}`, lines)
      ids.push(manifest)
      const name = String.fromCharCode(65 + at)
      for (const [no, line] of (await manifestOf(harness.client, manifest.id)).lines.entries())
        names.set(line.id, `${name}${no + 1}`)
    }
    const intakes = await arrive(
      harness.client,
      arrivals,
      attributedTo === undefined ? undefined : ids[attributedTo],
    )
    return intakes.map((intake) => names.get(intake.manifest_line_id ?? '') ?? null)
  }

  test("uses the certificate in any spelling: leading zeros, a QR code's address, an alias of the grader", async () => {
    const lines = [slabLine('0012'), slabLine('https://www.psacard.com/cert/48201934/psa')]
    const beckett = slab('12345678', { grader: 'Beckett' })
    expect(
      await match([[...lines, slabLine('0012345678', 'BGS')]], [slab('12'), slab('48201934'), beckett]),
    ).toEqual(['A1', 'A2', 'A3'])
  })

  test("uses a product's catalog name if no line has its SKU", async () => {
    expect(await match([['product etb-1']], [product('ETB-1')])).toEqual(['A1'])
  })

  test('records how a line was matched, and raises the flags that follow', async () => {
    const { client } = harness
    const manifest = await submit(client, 'PO-7', [
      slabLine('1'),
      { description: 'x', sku: 'ETB-1', grader: 'PSA', cert_number: '2' },
      'Charizard Base Set Holo',
      { description: 'Blastoise Base Set', grader: 'BGS' },
    ])
    const arrivals = [slab('1'), product('ETB-1'), named('Charizard Base Set'), named('Blastoise Base Set')]
    const intakes = await arrive(client, arrivals)
    expect(intakes.map((intake) => intake.condition_flags)).toEqual([
      [],
      ['cert_mismatch'],
      [],
      ['label_mismatch'],
    ])
    const { data } = await client.getManifestReport({ params: { manifest_id: manifest.id } })
    expect(data.lines.map(({ status, match_key, match_score }) => [status, match_key, match_score])).toEqual([
      ['matched', 'cert_number', 1],
      ['condition_mismatch', 'sku', 1],
      ['matched', 'description', 0.8571],
      ['condition_mismatch', 'description', 1],
    ])
  })

  test.each([
    ['submitted together', [['Zion 11/25', 'Zion 25/11']]],
    ['of two manifests', [['Zion 11/25'], ['Zion 25/11']]],
  ])('tells lines of equal words apart by their card numbers, %s', async (_, manifests) => {
    const second = manifests.length === 1 ? 'A2' : 'B1'
    const items = ['Zion 25/11', 'Zion 25/11', 'Zion 11/25', 'Zion 25 11', 'Zion 11/26']
    expect(
      await match(
        manifests,
        items.map((name) => named(name)),
      ),
    ).toEqual([second, null, 'A1', null, null])
    expect(await match([['Mew 25 11'], ['Mew 25/11']], [named('Mew 25/11'), named('Mew 11/25')])).toEqual([
      'A1',
      null,
    ])
    expect(await harness.findings()).toEqual([])
  })

  test('skips a filled line for a later one with room', async () => {
    const lines = [slabLine('1', 'PSA'), slabLine('1', 'BGS'), slabLine('1', 'BGS'), slabLine('1', 'PSA')]
    const arrivals = ['BGS', 'BGS', 'BGS', 'PSA', 'PSA', 'PSA'].map((grader) => slab('1', { grader }))
    expect(await match([lines], arrivals)).toEqual(['A2', 'A3', null, 'A1', 'A4', null])
  })

  test('ignores words of another manifest’s lines for an attributed item, older or newer', async () => {
    const manifests = [
      ['Blastoise Base Set Holo'],
      ['Venusaur Base Set', 'Pikachu Jungle Holo Rare'],
      ['Charizard Base Set Holo', 'Pikachu Jungle Holo Rare'],
    ]
    const arrivals = [
      'Charizard Base Set',
      'Blastoise Base Set',
      'Pikachu Jungle Holo',
      'Pikachu Jungle Holo',
    ]
    expect(
      await match(
        manifests,
        arrivals.map((name) => named(name)),
        1,
      ),
    ).toEqual([null, null, 'B2', null])
  })

  test('is not hidden by a more similar line of another manifest', async () => {
    const manifests = [['Charizard Base Set'], ['Charizard Base Set Holo']]
    expect(await match(manifests, [named('Charizard Base Set')], 1)).toEqual(['B1'])
  })

  test('compares words of the maximum length to their end', async () => {
    const long = 'a'.repeat(499)
    expect(await match([[`${long}b`, `${long}c`]], [named(`${long}c`), named(`${long}d`)])).toEqual([
      'A2',
      null,
    ])
  })
})
