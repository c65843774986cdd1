import { entriesOf } from '../check.ts'
import { answered, each, holds, refused, same } from '../expectations.ts'
import {
  advance,
  arrive,
  arriveOne,
  availableSlab,
  itemOf,
  manifestWithLines,
  newManifest,
  newProduct,
  order,
  sellBack,
  slabArrival,
} from '../making.ts'
import { subscribed } from '../subscriptions.ts'
import type { World } from '../world.ts'

/** Decisions 2: identifiers, times, absent values. */
export const identifierDecisions = entriesOf({
  'D2-1 every uuid is a UUIDv7': (world) =>
    subscribed(world, async (subscription) => {
      const ids = [subscription.id, ...(await everyId(world))]
      const others = ids.filter(
        (id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id),
      )
      same(others, [], 'ids that are no UUIDv7')
    }),
  'D2-2 every time is UTC, ISO 8601, to the millisecond, with Z': async (world) => {
    const texts = [
      (await newManifest(world)).created_at,
      (await newProduct(world)).updated_at,
      (await order(world, [await availableSlab(world)])).created_at,
      (await arriveOne(world)).intake_at,
      ...each(await world.events.fresh(), 'created_at'),
    ]
    const others = texts.filter((text) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text))
    same(others, [], 'times of another form')
  },
  "D2-3 a QID is Q-XXXX-XXXX-XXXC in Crockford's base32; no two are the same": async (world) => {
    const intakes = await arrive(
      world,
      Array.from({ length: 20 }, () => slabArrival(world)),
    )
    const qids = each(intakes, 'qid')
    const others = qids.filter((qid) => !/^Q(-[0-9A-HJKMNP-TV-Z]{4}){3}$/.test(qid))
    same(others, [], 'QIDs of another form')
    same(new Set(qids).size, 20, 'different ones')
  },
  'D2-4 a wrong character and two swapped neighbours of a QID are always caught':
    'test/domain/qid.test.ts: notices every wrong character at every place',
  'D2-5 lower case, missing dashes, O for 0 and I, L for 1 are accepted in a QID; what is printed is canonical':
    async (world) => {
      const item = await availableSlab(world)
      const { qid } = item
      const spoken = `${qid.slice(0, 2)}${qid.slice(2).replaceAll('0', 'O').replaceAll('1', 'I')}`
      for (const typed of [qid.toLowerCase(), qid.replaceAll('-', ''), spoken, spoken.replaceAll('I', 'l')])
        same(await itemOf(world, { qid: typed }), item, `the item by ${typed}`)
      const made = await order(world, [{ qid: qid.toLowerCase().replaceAll('-', '') }])
      same(made.qids, [qid], 'the QIDs of an order')
    },
  'D2-6 a malformed QID is simply not_found': async (world) => {
    const { qid: real } = await availableSlab(world)
    answered(await world.ask('getItem', { params: { qid: real } }), 200)
    for (const qid of ['x', 'Q-', 'Q-UUUU-UUUU-UUUU', '42', '../items', 'é', ' '])
      refused(await world.ask('getItem', { params: { qid } }), 404, 'not_found')
  },
  'D2-7 a field typed T | null is always there; source and category are left out when there is no value':
    async (world) => {
      const manifest = await newManifest(world)
      same(['source' in manifest, 'expected_arrival_end' in manifest], [false, true], 'of a manifest')
      const { item } = await arriveOne(world)
      const seen = ['category' in item, 'external_ref' in item, 'model_3d' in item]
      same(seen, [false, true, true], 'of an item')
      const made = await order(world, [await availableSlab(world)])
      same([made.issue, 'verified_address_id' in made], [null, true], 'of a fulfillment')
    },
  'D2-8 grader, grade, set, category, condition_flags and issue.code are open strings': async (world) => {
    const open = { grader: 'ACE', grade: 'Pristine 10', set: 'Neo Genesis', category: 'soccer' }
    const arrival = slabArrival(world, { ...open, condition_flags: ['coffee_stain'] })
    const { item, condition_flags } = await arriveOne(world, arrival)
    same({ ...item, ...open }, item, 'the item')
    same(condition_flags, ['coffee_stain'], 'condition_flags')
  },
  "D2-9 a slab's SKU is GS-{GRADER}-{GRADE}-{8 of base32}: equal slabs share one, others do not": async (
    world,
  ) => {
    const card = { name: `Lugia ${world.unique('CARD')}`, set: 'Neo', card_number: '9/111' }
    const intakes = await arrive(world, [
      slabArrival(world, card),
      slabArrival(world, card),
      slabArrival(world, { ...card, grade: '10' }),
      slabArrival(world, { ...card, card_number: '10/111' }),
    ])
    const [one = '', twin, graded = '', other] = intakes.map(({ item }) => item.sku)
    holds(/^GS-PSA-9-[0-9A-HJKMNP-TV-Z]{8}$/.test(one), 'the form of the SKU', one)
    same([twin, graded.slice(-8)], [one, one.slice(-8)], 'of an equal slab, and of another grade')
    holds(graded !== one && other !== one, 'another grade and another card have other SKUs', [graded, other])
  },
  'D2-10 the engine flags what contradicts the line: cert_mismatch, label_mismatch, wrong_item': async (
    world,
  ) => {
    const arrival = slabArrival(world)
    const line = { description: arrival.name ?? '', grader: 'BGS' }
    const { id } = await newManifest(world, [line])
    const intake = await arriveOne(world, arrival, id)
    same(intake.condition_flags, ['label_mismatch'], 'flags of another grader than the line names')
    const { lines } = await manifestWithLines(world, id)
    same([lines[0]?.status, lines[0]?.matched_qids], ['condition_mismatch', [intake.qid]], 'the line')
  },
})

/** The ids of one resource of each kind. */
async function everyId(world: World): Promise<string[]> {
  const manifest = await newManifest(world)
  const { lines } = await manifestWithLines(world, manifest.id)
  const slab = await availableSlab(world)
  const made = await order(world, [slab])
  await advance(world, slab, 'available')
  const transfer = await sellBack(world, [slab])
  const events = answered(await world.ask('listEvents'), 200).body as { results: Array<{ id: string }> }
  return [
    manifest.id,
    ...each(lines, 'id'),
    (await newProduct(world)).product_id,
    made.id,
    transfer.id,
    ...each(events.results, 'id'),
  ]
}
