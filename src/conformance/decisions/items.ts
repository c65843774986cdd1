import type { ItemStatus } from '../../contract/enums.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import { each, entriesOf, faulty, holds, present, rejected, same } from '../check.ts'
import * as make from '../making.ts'
import type { World } from '../world.ts'

export const itemDecisions = entriesOf({
  'D7-1 each edge of the item graph has its own cause': async (world) => {
    const slab = await make.availableSlab(world)
    const status = async () => (await make.itemOf(world, slab)).status
    const made = await make.order(world, [slab])
    same(await status(), 'in_fulfillment', 'fulfillment created')
    await make.advanceOrder(world, made, { to_status: 'shipped' })
    same(await status(), 'in_transit', 'fulfillment shipped')
    await make.advanceOrder(world, made, { to_status: 'delivered' })
    same(await status(), 'delivered', 'standard fulfillment delivered')
    await make.advanceOrder(world, made, { to_status: 'returned' })
    same(await status(), 'received', 'fulfillment returned')
    same((await make.advance(world, slab, 'digitized')).status, 'digitized', 'imagery attached')
    same((await make.advance(world, slab, 'available')).status, 'available', 'stored')
    const transfer = await make.sellBack(world, [slab])
    same(await status(), 'pending_transfer', 'transfer requested')
    await make.endTransfer(world, transfer, 'cancelled')
    same(await status(), 'available', 'transfer cancelled')
    const last = await make.sellBack(world, [slab])
    await make.endTransfer(world, last, 'completed')
    same(await status(), 'released', 'transfer completed')
  },
  'D7-2 a delivered withdrawal makes its items withdrawn; after a return they are received again': async (
    world,
  ) => {
    const slab = await make.availableSlab(world)
    const made = await make.order(world, [slab], { type: 'withdrawal' })
    await make.advanceOrder(world, made, { to_status: 'delivered' })
    same((await make.itemOf(world, slab)).status, 'withdrawn', 'delivered')
    await make.advanceOrder(world, made, { to_status: 'returned' })
    same((await make.itemOf(world, slab)).status, 'received', 'returned')
  },
  'D7-3 only edges are legal: an item is ordered or sold only while it is available': async (world) => {
    const received = await make.arriveOne(world)
    const [held, sold] = await make.twoSlabs(world)
    await make.order(world, [held])
    await make.sellBack(world, [sold])
    for (const { qid } of [received, held, sold]) {
      const json = { qids: [qid] }
      rejected(await world.ask('requestTransfer', { json }), 409, 'state_conflict')
      const shipped = { ...json, shipping_address: make.address }
      rejected(await world.ask('createFulfillment', { json: shipped }), 409, 'state_conflict')
    }
  },
  'D7-4 the three graphs have every edge of the decisions and no other':
    'test/domain/item-states.test.ts: throws for every pair of a status and an impossible cause',
  'D7-5 GET /items without status omits delivered, released, and withdrawn; with status it lists them':
    async (world) => {
      const product = await make.newProduct(world)
      const units = await make.availableUnits(world, product, 4)
      for (const [at, status] of (['delivered', 'released', 'withdrawn'] as const).entries())
        await make.advance(world, present(units[at], 'the unit'), status)
      const { sku } = product
      same(await make.listed(world, { sku }), [units[3]?.qid], 'without status')
      for (const [at, status] of (['delivered', 'released', 'withdrawn'] as const).entries())
        same(await make.listed(world, { sku, status }), [units[at]?.qid], status)
    },
  'D7-6 the summary counts every status, and total is their sum': async (world) => {
    await make.advance(world, await make.availableSlab(world), 'released')
    const { total, by_status } = (await world.client.getItemSummary({})).data
    holds((by_status.released ?? 0) >= 1, 'released items are counted', by_status)
    same(
      total,
      Object.values(by_status).reduce((sum, count) => sum + count, 0),
      'total',
    )
  },
  'D7-7 on_hand counts received to in_fulfillment and pending_transfer, allocated the last two, available its own':
    stockByStatus,
  'D7-8 inventory is in order of SKU; sku is an exact match; catalog SKUs without stock have zeros': async (
    world,
  ) => {
    const product = await make.newProduct(world)
    const one = (await world.client.listInventory({ query: { sku: product.sku } })).data
    same([one.total, one.results[0]?.on_hand], [1, 0], 'of a SKU without stock')
    const part = product.sku.slice(0, -1)
    same((await world.client.listInventory({ query: { sku: part } })).data.total, 0, 'of a part of it')
    const { results } = (await world.client.listInventory({ query: { page_size: pageSizeMax } })).data
    const skus = each(results, 'sku')
    same(skus, skus.toSorted(), 'the order')
  },
  'D7-9 inventory lists slab SKUs that have or had stock (decisions 11)': async (world) => {
    const intake = await make.arriveOne(world, make.slabArrival(world, { name: world.unique('Mew') }))
    const { qid, sku } = intake.item
    const level = async () => (await world.client.listInventory({ query: { sku } })).data.results
    same(await level(), [{ sku, on_hand: 1, available: 0, allocated: 0 }], 'with stock')
    await make.advance(world, { qid }, 'released')
    same(await level(), [{ sku, on_hand: 0, available: 0, allocated: 0 }], 'without')
  },
  'D7-10 active_fulfillment_id is set from creation to delivery, cancel, or return, then null (decisions 11)':
    async (world) => {
      const slab = await make.availableSlab(world)
      const active = async () => (await make.itemOf(world, slab)).active_fulfillment_id
      const first = await make.order(world, [slab])
      await make.cancel(world, first)
      same(await active(), null, 'after the cancel')
      const second = await make.order(world, [slab])
      await make.advanceOrder(world, second, { to_status: 'shipped' })
      same(await active(), second.id, 'in transit')
      await make.advanceOrder(world, second, { to_status: 'delivered' })
      same(await active(), null, 'after delivery')
      await make.advanceOrder(world, second, { to_status: 'returned' })
      same(await active(), null, 'after the return')
    },
  'D7-11 search matches part of name or SKU, and sku on /items part of a SKU, in any case (decisions 11)':
    async (world) => {
      const name = `Mewtwo ${world.unique('Rocket')}`
      const intake = await make.arriveOne(world, make.slabArrival(world, { name }))
      const { qid, sku } = intake.item
      for (const query of [
        { search: name.toLowerCase() },
        { search: name.toUpperCase().slice(3) },
        { search: sku.toLowerCase() },
      ])
        same(await make.listed(world, query), [qid], JSON.stringify(query))
      same(await make.listed(world, { sku: sku.toLowerCase().slice(3) }), [qid], 'by a part of the SKU')
      same(await make.listed(world, { search: `${name}%` }), [], 'a sign with a meaning in SQL')
    },
  'D7-12 an unknown manifest_id filter lists nothing; a page past the end is empty (decisions 11)': async (
    world,
  ) => {
    const manifest_id = '019aaaaa-0000-7000-8000-000000000001'
    same(await make.listed(world, { manifest_id }), [], 'items of an unknown manifest')
    same((await world.client.listIntakes({ query: { manifest_id } })).data.total, 0, 'intakes of it')
    const { sku } = await make.newProduct(world)
    const { data } = await world.client.listProducts({ query: { sku, page: 9, page_size: 1 } })
    const numbers = [data.results, data.count, data.total, data.next, data.previous_page_number]
    same(numbers, [[], 0, 1, null, 1], 'results, count, total, next, previous page')
    same(new URL(data.previous ?? '').searchParams.get('page'), '1', 'the page in previous')
  },
  'D7-13 an unknown QID in an order is a 404 that reveals nothing about it': async (world) => {
    const slab = await make.availableSlab(world)
    const json = { qids: [slab.qid, make.noQid] }
    const rejection = rejected(await world.ask('requestTransfer', { json }), 404, 'not_found')
    holds(!JSON.stringify(rejection).includes(make.noQid), 'the QID is not repeated', rejection)
    same((await make.itemOf(world, slab)).status, 'available', 'the other item')
  },
})

async function stockByStatus(world: World): Promise<void> {
  const { sku } = await make.newProduct(world)
  const counted: Array<[ItemStatus, number, number, number]> = [
    ['received', 1, 0, 0],
    ['digitized', 1, 0, 0],
    ['available', 1, 1, 0],
    ['in_fulfillment', 1, 0, 1],
    ['in_transit', 0, 0, 0],
    ['delivered', 0, 0, 0],
    ['pending_transfer', 1, 0, 1],
    ['released', 0, 0, 0],
    ['withdrawn', 0, 0, 0],
  ]
  const sum = { sku, on_hand: 0, available: 0, allocated: 0 }
  for (const [status, on_hand, available, allocated] of counted) {
    const intake = await make.arriveOne(world, make.unitOf({ sku }))
    if (status !== 'received') await make.advance(world, intake, status)
    sum.on_hand += on_hand
    sum.available += available
    sum.allocated += allocated
    const { results } = (await world.client.listInventory({ query: { sku } })).data
    same(results, [sum], `the level with one more that is ${status}`)
  }
}

export const matchingDecisions = entriesOf({
  'D6-1 POST /manifests is all or nothing; an unknown SKU names the line': async (world) => {
    const json = make.manifestBody(world, [
      make.slabLine(world),
      { description: 'Box', sku: world.unique('NOSKU') },
    ])
    faulty(await world.ask('submitManifest', { json }), 'lines[1].sku')
    const { reference } = json
    same((await world.client.listManifests({ query: { reference } })).data.total, 0, 'manifests made')
  },
  'D6-2 an item goes to the oldest manifest, then in line order, until the quantity is filled': async (
    world,
  ) => {
    const { sku } = await make.newProduct(world)
    const older = await make.newManifest(world, [
      { description: 'Box', sku, quantity: 2 },
      { description: 'Box', sku },
    ])
    const newer = await make.newManifest(world, [{ description: 'Box', sku }])
    const unit = make.unitOf({ sku })
    const matched = each(await make.arrive(world, [unit, unit, unit, unit, unit]), 'manifest_line_id')
    const [first, second] = await lineIds(world, older.id)
    const [third] = await lineIds(world, newer.id)
    same(matched, [first, first, second, third, null], 'lines of five units')
  },
  "D6-3 if the warehouse attributes an item to a manifest, only that manifest's lines count": async (
    world,
  ) => {
    const line = make.slabLine(world)
    await make.newManifest(world, [line])
    const other = await make.newManifest(world)
    const intake = await make.arriveOne(world, make.slabOf(world, line), other.id)
    same([intake.manifest_id, intake.manifest_line_id], [other.id, null], 'manifest and line')
  },
  'D6-4 certificates are compared without spaces, dashes, and case, and the grader if both sides name one':
    async (world) => {
      const cert = world.unique('CERT')
      const [written, other] = [cert.toLowerCase().replaceAll('-', ' '), cert.replaceAll('-', '')]
      const { id } = await make.newManifest(world, [
        make.slabLine(world, { cert_number: written, grader: 'psa', description: 'unlike' }),
        make.slabLine(world, { cert_number: other, grader: null, description: 'unlike' }),
      ])
      const bgs = await make.arriveOne(world, make.slabArrival(world, { cert_number: cert, grader: 'BGS' }))
      const psa = await make.arriveOne(world, make.slabArrival(world, { cert_number: cert, grader: 'PSA' }))
      const [first, second] = await lineIds(world, id)
      same([bgs.manifest_line_id, psa.manifest_line_id], [second, first], 'lines of a BGS and a PSA slab')
    },
  'D6-5 a product item is matched by its SKU': async (world) => {
    const { sku } = await make.newProduct(world)
    const { id } = await make.newManifest(world, [{ description: 'Quite another word', sku }])
    await make.arriveOne(world, make.unitOf({ sku }))
    const { lines } = await make.reportOf(world, id)
    same([lines[0]?.match_key, lines[0]?.match_score, lines[0]?.status], ['sku', 1, 'matched'], 'the line')
  },
  'D6-6 descriptions match only lines without cert_number and sku, at least 0.75 similar, the best score first':
    async (world) => {
      const tag = world.unique('Zubat').replaceAll('-', '')
      const { id } = await make.newManifest(world, [
        { description: `Crobat ${tag} Skyridge Holo` },
        { description: `${tag} Neo Genesis` },
        make.slabLine(world, { description: `${tag} Neo Genesis Holo` }),
      ])
      const blank = { set: null, card_number: null, grader: 'PSA', grade: '9' }
      const alike = make.slabArrival(world, { ...blank, name: `Neo Genesis, ${tag.toLowerCase()} HOLO` })
      const unlike = make.slabArrival(world, { ...blank, name: `${tag} Base` })
      const [first, second] = await make.arrive(world, [alike, unlike], id)
      const words = (await lineIds(world, id))[1]
      same([first?.manifest_line_id, second?.manifest_line_id], [words, null], 'lines')
    },
  'D6-7 a match is recorded, and shown in the report as match_key and match_score': async (world) => {
    const tag = world.unique('Golbat').replaceAll('-', '')
    const byCert = make.slabLine(world)
    const { id } = await make.newManifest(world, [
      byCert,
      { description: `${tag} Jungle Holo Rare` },
      make.slabLine(world),
    ])
    const words = { name: `${tag} Jungle Holo`, set: null, card_number: null }
    await make.arrive(world, [make.slabOf(world, byCert), make.slabArrival(world, words)], id)
    const [first, second, third] = (await make.reportOf(world, id)).lines
    same([first?.match_key, first?.match_score], ['cert_number', 1], 'of the first line')
    holds(second?.match_key === 'description', 'the second line was matched by words', second)
    const score = second.match_score ?? 0
    holds(score >= 0.75 && score < 1, 'its score is between 0.75 and 1', score)
    same([third?.match_key, third?.match_score], [null, null], 'of a line that nothing came for')
  },
  'D6-8 an item matched without attribution makes its manifest receiving too': async (world) => {
    const line = make.slabLine(world)
    const { id } = await make.newManifest(world, [line])
    const intake = await make.arriveOne(world, make.slabOf(world, line))
    same(
      [intake.manifest_id, (await make.manifestWithLines(world, id)).status],
      [id, 'receiving'],
      'the manifest',
    )
  },
  'D6-9 a line may have sku and cert_number: it is matched by certificate first (decisions 11)': async (
    world,
  ) => {
    const { sku } = await make.newProduct(world)
    const line = make.slabLine(world, { sku })
    const { id } = await make.newManifest(world, [line])
    const intake = await make.arriveOne(world, make.slabOf(world, line))
    same(intake.manifest_id, id, 'the manifest')
    same((await make.reportOf(world, id)).lines[0]?.match_key, 'cert_number', 'match_key')
    const twice = make.manifestBody(world, [make.slabLine(world, { quantity: 2 })])
    faulty(await world.ask('submitManifest', { json: twice }), 'lines[0].quantity')
  },
  'D6-10 an arrival window in the past is accepted; an end before its start is a 400 (decisions 11)': async (
    world,
  ) => {
    const past = { expected_arrival_start: '2031-05-02', expected_arrival_end: '2031-05-02' }
    same((await make.newManifest(world, undefined, past)).expected_arrival_end, '2031-05-02', 'the end')
    const json = { ...make.manifestBody(world), ...past, expected_arrival_end: '2031-05-01' }
    faulty(await world.ask('submitManifest', { json }), 'expected_arrival_end')
    const old = await make.newManifest(world, undefined, { expected_arrival_start: '2020-01-01' })
    same((await make.close(world, old)).expected_arrival_start, '2020-01-01', 'a start long ago')
  },
})

async function lineIds(world: World, id: string): Promise<string[]> {
  return each((await make.manifestWithLines(world, id)).lines, 'id')
}
