import { answered, each, holds, rejected, same } from '../check.ts'
import { entriesOf, type World } from '../world.ts'

export const identifierDecisions = entriesOf({
  'D2-1 every UUID is a UUIDv7': (world) =>
    world.subscribed(async (subscription) => {
      const ids = [subscription.id, ...(await everyId(world))]
      const others = ids.filter(
        (id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id),
      )
      same(others, [], 'ids that are not UUIDv7')
    }),
  'D2-2 every time is UTC, ISO 8601, to the millisecond, with Z': async (world) => {
    const texts = [
      (await world.newManifest()).created_at,
      (await world.newProduct()).updated_at,
      (await world.order([await world.availableSlab()])).created_at,
      (await world.arriveOne()).intake_at,
      ...each(await world.events.fresh(), 'created_at'),
    ]
    const others = texts.filter((text) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text))
    same(others, [], 'times of another form')
  },
  "D2-3 a QID is Q-XXXX-XXXX-XXXC in Crockford's base32, and no two are the same": async (world) => {
    const intakes = await world.arrive(Array.from({ length: 20 }, () => world.slabArrival()))
    const qids = each(intakes, 'qid')
    const others = qids.filter((qid) => !/^Q(-[0-9A-HJKMNP-TV-Z]{4}){3}$/.test(qid))
    same(others, [], 'QIDs of another form')
    same(new Set(qids).size, 20, 'different ones')
  },
  'D2-5 a QID is accepted in lower case, without dashes, with O for 0 and I or L for 1, and printed canonically':
    async (world) => {
      const item = await world.availableSlab()
      const { qid } = item
      const spoken = `${qid.slice(0, 2)}${qid.slice(2).replaceAll('0', 'O').replaceAll('1', 'I')}`
      for (const typed of [qid.toLowerCase(), qid.replaceAll('-', ''), spoken, spoken.replaceAll('I', 'l')])
        same(await world.itemOf({ qid: typed }), item, `the item by ${typed}`)
      const made = await world.order([{ qid: qid.toLowerCase().replaceAll('-', '') }])
      same(made.qids, [qid], 'the QIDs of an order')
    },
  'D2-6 a malformed QID is not_found': async (world) => {
    const { qid: real } = await world.availableSlab()
    answered(await world.ask('getItem', { params: { qid: real } }), 200)
    for (const qid of ['x', 'Q-', 'Q-UUUU-UUUU-UUUU', '42', '../items', 'é', ' '])
      rejected(await world.ask('getItem', { params: { qid } }), 404, 'not_found')
  },
  'D2-7 a field typed T | null is always present; source and category are omitted if they have no value':
    async (world) => {
      const manifest = await world.newManifest()
      same(['source' in manifest, 'expected_arrival_end' in manifest], [false, true], 'of a manifest')
      const { item } = await world.arriveOne()
      const seen = ['category' in item, 'external_ref' in item, item.model_3d]
      same(seen, [false, true, null], 'of an item')
      const made = await world.order([await world.availableSlab()])
      same([made.issue, 'verified_address_id' in made], [null, true], 'of a fulfillment')
    },
  'D2-8 grader, grade, set, category, condition_flags, and issue.code are open strings': async (world) => {
    const open = { grader: 'ACE', grade: 'Pristine 10', set: 'Neo Genesis', category: 'soccer' }
    const arrival = world.slabArrival({ ...open, condition_flags: ['coffee_stain'] })
    const { item, condition_flags } = await world.arriveOne(arrival)
    same({ ...item, ...open }, item, 'the item')
    same(condition_flags, ['coffee_stain'], 'condition_flags')
  },
  "D2-9 a slab's SKU is GS-{GRADER}-{GRADE}-{8 of base32}: equal slabs share one, others do not": async (
    world,
  ) => {
    const card = { name: `Lugia ${world.unique('CARD')}`, set: 'Neo', card_number: '9/111' }
    const intakes = await world.arrive([
      world.slabArrival(card),
      world.slabArrival(card),
      world.slabArrival({ ...card, grade: '10' }),
      world.slabArrival({ ...card, card_number: '10/111' }),
    ])
    const [one = '', twin, graded = '', other] = intakes.map(({ item }) => item.sku)
    holds(/^GS-PSA-9-[0-9A-HJKMNP-TV-Z]{8}$/.test(one), 'the form of the SKU', one)
    same([twin, graded.slice(-8)], [one, one.slice(-8)], 'of an equal slab, and of another grade')
    holds(graded !== one && other !== one, 'another grade and another card have other SKUs', [graded, other])
  },
  'D2-10 the engine flags contradictions of the line: cert_mismatch, label_mismatch, wrong_item': async (
    world,
  ) => {
    const arrival = world.slabArrival()
    const line = { description: arrival.name ?? '', grader: 'BGS' }
    const { id } = await world.newManifest([line])
    const intake = await world.arriveOne(arrival, id)
    same(intake.condition_flags, ['label_mismatch'], 'flags of another grader than the line names')
    const { lines } = await world.manifestWithLines(id)
    same([lines[0]?.status, lines[0]?.matched_qids], ['condition_mismatch', [intake.qid]], 'the line')
  },
  "D1-1 every row belongs to one scope: another partner's equal SKU or Idempotency-Key is a different one":
    async (world) => {
      const product = await world.newProduct()
      const idempotencyKey = world.unique('K')
      const first = world.productBody()
      const body = world.productBody({ sku: product.sku, name: 'Theirs' })
      await world.client.createProduct({ body: first, idempotencyKey })
      const theirs = await world.stranger().createProduct({ body, idempotencyKey })
      same([theirs.status, theirs.data.name], [201, 'Theirs'], "the other partner's product")
      const { results } = (await world.client.listProducts({ query: { sku: product.sku } })).data
      same(results, [product], "the first partner's")
    },
  'D1-2 a missing, malformed, unknown, or doubled key is a 401 with identical bodies': async (world) => {
    const { key } = world.subject
    const unknown = key.slice(0, -8) + key.slice(-8).split('').reverse().join('')
    const texts = new Set<string>()
    const malformed = ['', 'sk_', 'secret', `${key}x`, key.slice(0, -1), key.toUpperCase()]
    for (const sent of [undefined, ...malformed, unknown, [key, key]]) {
      const seen = await world.ask('listProducts', { headers: { 'x-api-key': sent } })
      rejected(seen, 401, 'invalid_api_key')
      texts.add(seen.text)
    }
    same(texts.size, 1, 'different bodies')
  },
  // About the command-line tool, which no service can show.
})

async function everyId(world: World): Promise<string[]> {
  const manifest = await world.newManifest()
  const { lines } = await world.manifestWithLines(manifest.id)
  const slab = await world.availableSlab()
  const made = await world.order([slab])
  await world.advance(slab, 'available')
  const transfer = await world.sellBack([slab])
  const events = answered(await world.ask('listEvents'), 200).body as { results: Array<{ id: string }> }
  return [
    manifest.id,
    ...each(lines, 'id'),
    (await world.newProduct()).product_id,
    made.id,
    transfer.id,
    ...each(events.results, 'id'),
  ]
}
