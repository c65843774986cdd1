import type { ItemStatus } from '../../contract/enums.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import { each, faulty, holds, rejected, same } from '../check.ts'
import { address, entriesOf, noQid, unitOf, type World } from '../world.ts'

export const itemDecisions = entriesOf({
  'D7-1 each edge of the item graph has its own cause': async (world) => {
    const slab = await world.availableSlab()
    const status = async () => (await world.itemOf(slab)).status
    const made = await world.order([slab])
    same(await status(), 'in_fulfillment', 'fulfillment created')
    await world.advanceOrder(made, { to_status: 'shipped' })
    same(await status(), 'in_transit', 'fulfillment shipped')
    await world.advanceOrder(made, { to_status: 'delivered' })
    same(await status(), 'delivered', 'standard fulfillment delivered')
    await world.advanceOrder(made, { to_status: 'returned' })
    same(await status(), 'received', 'fulfillment returned')
    same((await world.advance(slab, 'digitized')).status, 'digitized', 'imagery attached')
    same((await world.advance(slab, 'available')).status, 'available', 'stored')
    const transfer = await world.sellBack([slab])
    same(await status(), 'pending_transfer', 'transfer requested')
    await world.endTransfer(transfer, 'cancelled')
    same(await status(), 'available', 'transfer cancelled')
    const last = await world.sellBack([slab])
    await world.endTransfer(last, 'completed')
    same(await status(), 'released', 'transfer completed')
  },
  'D7-2 a delivered withdrawal makes its items withdrawn; after a return they are received again': async (
    world,
  ) => {
    const slab = await world.availableSlab()
    const made = await world.order([slab], { type: 'withdrawal' })
    await world.advanceOrder(made, { to_status: 'delivered' })
    same((await world.itemOf(slab)).status, 'withdrawn', 'delivered')
    await world.advanceOrder(made, { to_status: 'returned' })
    same((await world.itemOf(slab)).status, 'received', 'returned')
  },
  'D7-3 only edges are legal: an item is ordered or sold only while it is available': async (world) => {
    const received = await world.arriveOne()
    const [held, sold] = await world.twoSlabs()
    await world.order([held])
    await world.sellBack([sold])
    for (const { qid } of [received, held, sold]) {
      const json = { qids: [qid] }
      rejected(await world.ask('requestTransfer', { json }), 409, 'state_conflict')
      const shipped = { ...json, shipping_address: address }
      rejected(await world.ask('createFulfillment', { json: shipped }), 409, 'state_conflict')
    }
  },
  'D7-5 GET /items without status omits delivered, released, and withdrawn; with status it lists them':
    async (world) => {
      const { sku } = await world.newProduct()
      const gone = ['delivered', 'released', 'withdrawn'] as const
      const units = await world.units({ sku }, ...gone, 'available')
      same(await world.listed({ sku }), [units[3]?.qid], 'without status')
      for (const [at, status] of gone.entries())
        same(await world.listed({ sku, status }), [units[at]?.qid], status)
    },
  'D7-6 the summary counts every status, and total is their sum': async (world) => {
    await world.advance(await world.availableSlab(), 'released')
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
    const product = await world.newProduct()
    const one = (await world.client.listInventory({ query: { sku: product.sku } })).data
    same([one.total, one.results[0]?.on_hand], [1, 0], 'of a SKU without stock')
    const part = product.sku.slice(0, -1)
    same((await world.client.listInventory({ query: { sku: part } })).data.total, 0, 'of a part of it')
    const { results } = (await world.client.listInventory({ query: { page_size: pageSizeMax } })).data
    const skus = each(results, 'sku')
    same(skus, skus.toSorted(), 'the order')
  },
  'D7-9 inventory lists slab SKUs that have or had stock (decisions 11)': async (world) => {
    const intake = await world.arriveOne(world.slabArrival({ name: world.unique('Mew') }))
    const { qid, sku } = intake.item
    const level = async () => (await world.client.listInventory({ query: { sku } })).data.results
    same(await level(), [{ sku, on_hand: 1, available: 0, allocated: 0 }], 'with stock')
    await world.advance({ qid }, 'released')
    same(await level(), [{ sku, on_hand: 0, available: 0, allocated: 0 }], 'without')
  },
  'D7-10 active_fulfillment_id is set from creation to delivery, cancel, or return, then null (decisions 11)':
    async (world) => {
      const slab = await world.availableSlab()
      const active = async () => (await world.itemOf(slab)).active_fulfillment_id
      const first = await world.order([slab])
      same(await active(), first.id, 'in the fulfillment')
      await world.cancel(first)
      same(await active(), null, 'after the cancel')
      const second = await world.order([slab])
      await world.advanceOrder(second, { to_status: 'shipped' })
      same(await active(), second.id, 'in transit')
      await world.advanceOrder(second, { to_status: 'delivered' })
      same(await active(), null, 'after delivery')
      await world.advanceOrder(second, { to_status: 'returned' })
      same(await active(), null, 'after the return')
    },
  'D7-11 search matches part of name or SKU, and sku on /items part of a SKU, in any case (decisions 11)':
    async (world) => {
      const name = `Mewtwo ${world.unique('Rocket')}`
      const intake = await world.arriveOne(world.slabArrival({ name }))
      const { qid, sku } = intake.item
      for (const query of [
        { search: name.toLowerCase() },
        { search: name.toUpperCase().slice(3) },
        { search: sku.toLowerCase() },
      ])
        same(await world.listed(query), [qid], JSON.stringify(query))
      same(await world.listed({ sku: sku.toLowerCase().slice(3) }), [qid], 'by a part of the SKU')
      same(await world.listed({ sku: `${sku}-NOT` }), [], 'by another SKU')
      same(await world.listed({ search: `${name}%` }), [], 'a sign with a meaning in SQL')
    },
  'D7-12 an unknown manifest_id filter lists nothing; a page past the end is empty (decisions 11)': async (
    world,
  ) => {
    const manifest_id = '019aaaaa-0000-7000-8000-000000000001'
    same(await world.listed({ manifest_id }), [], 'items of an unknown manifest')
    same((await world.client.listIntakes({ query: { manifest_id } })).data.total, 0, 'intakes of it')
    const { sku } = await world.newProduct()
    const { data } = await world.client.listProducts({ query: { sku, page: 9, page_size: 1 } })
    const numbers = [data.results, data.count, data.total, data.next, data.previous_page_number]
    same(numbers, [[], 0, 1, null, 1], 'results, count, total, next, previous page')
    same(new URL(data.previous ?? '').searchParams.get('page'), '1', 'the page in previous')
  },
  'D7-13 an unknown QID in an order is a 404 that reveals nothing about it': async (world) => {
    const slab = await world.availableSlab()
    const json = { qids: [slab.qid, noQid] }
    const rejection = rejected(await world.ask('requestTransfer', { json }), 404, 'not_found')
    holds(!JSON.stringify(rejection).includes(noQid), 'the QID is not repeated', rejection)
    same((await world.itemOf(slab)).status, 'available', 'the other item')
  },
  'D6-1 POST /manifests is all or nothing; an unknown SKU names the line': async (world) => {
    const json = world.manifestBody([world.slabLine(), { description: 'Box', sku: world.unique('NOSKU') }])
    faulty(await world.ask('submitManifest', { json }), 'lines[1].sku')
    const { reference } = json
    same((await world.client.listManifests({ query: { reference } })).data.total, 0, 'manifests made')
  },
  'D6-2 an item goes to the oldest manifest, then in line order, until the quantity is filled': async (
    world,
  ) => {
    const { sku } = await world.newProduct()
    const older = await world.newManifest([
      { description: 'Box', sku, quantity: 2 },
      { description: 'Box', sku },
    ])
    const newer = await world.newManifest([{ description: 'Box', sku }])
    const unit = unitOf({ sku })
    const matched = each(await world.arrive([unit, unit, unit, unit, unit]), 'manifest_line_id')
    const [first, second] = await lineIds(world, older.id)
    const [third] = await lineIds(world, newer.id)
    same(matched, [first, first, second, third, null], 'lines of five units')
  },
  "D6-3 if the warehouse attributes an item to a manifest, only that manifest's lines count": async (
    world,
  ) => {
    const line = world.slabLine()
    await world.newManifest([line])
    const other = await world.newManifest()
    const intake = await world.arriveOne(world.slabOf(line), other.id)
    same([intake.manifest_id, intake.manifest_line_id], [other.id, null], 'manifest and line')
  },
  'D6-4 certificates are compared without spaces, dashes, and case, and the grader if both sides name one':
    async (world) => {
      const cert = world.unique('CERT')
      const [written, other] = [cert.toLowerCase().replaceAll('-', ' '), cert.replaceAll('-', '')]
      const { id } = await world.newManifest([
        world.slabLine({ cert_number: written, grader: 'psa', description: 'unlike' }),
        world.slabLine({ cert_number: other, grader: null, description: 'unlike' }),
      ])
      const bgs = await world.arriveOne(world.slabArrival({ cert_number: cert, grader: 'BGS' }))
      const psa = await world.arriveOne(world.slabArrival({ cert_number: cert, grader: 'PSA' }))
      const [first, second] = await lineIds(world, id)
      same([bgs.manifest_line_id, psa.manifest_line_id], [second, first], 'lines of a BGS and a PSA slab')
    },
  'D6-5 a product item is matched by its SKU': async (world) => {
    const { sku } = await world.newProduct()
    const { id } = await world.newManifest([{ description: 'Quite another word', sku }])
    await world.arriveOne(unitOf({ sku }))
    const { lines } = await world.reportOf(id)
    same([lines[0]?.match_key, lines[0]?.match_score, lines[0]?.status], ['sku', 1, 'matched'], 'the line')
  },
  'D6-6 descriptions match only lines without cert_number and sku, at least 0.75 similar, the best score first':
    async (world) => {
      const tag = world.unique('Zubat').replaceAll('-', '')
      const { id } = await world.newManifest([
        { description: `Crobat ${tag} Skyridge Holo` },
        { description: `${tag} Neo Genesis` },
        world.slabLine({ description: `${tag} Neo Genesis Holo` }),
      ])
      const blank = { set: null, card_number: null, grader: 'PSA', grade: '9' }
      const alike = world.slabArrival({ ...blank, name: `Neo Genesis, ${tag.toLowerCase()} HOLO` })
      const unlike = world.slabArrival({ ...blank, name: `${tag} Base` })
      const [first, second] = await world.arrive([alike, unlike], id)
      const words = (await lineIds(world, id))[1]
      same([first?.manifest_line_id, second?.manifest_line_id], [words, null], 'lines')
    },
  'D6-7 a match is recorded, and shown in the report as match_key and match_score': async (world) => {
    const tag = world.unique('Golbat').replaceAll('-', '')
    const byCert = world.slabLine()
    const { id } = await world.newManifest([
      byCert,
      { description: `${tag} Jungle Holo Rare` },
      world.slabLine(),
    ])
    const words = { name: `${tag} Jungle Holo`, set: null, card_number: null }
    await world.arrive([world.slabOf(byCert), world.slabArrival(words)], id)
    const [first, second, third] = (await world.reportOf(id)).lines
    same([first?.match_key, first?.match_score], ['cert_number', 1], 'of the first line')
    holds(second?.match_key === 'description', 'the second line was matched by words', second)
    const score = second.match_score ?? 0
    holds(score >= 0.75 && score < 1, 'its score is between 0.75 and 1', score)
    same([third?.match_key, third?.match_score], [null, null], 'of a line that nothing came for')
  },
  'D6-8 an item matched without attribution makes its manifest receiving too': async (world) => {
    const line = world.slabLine()
    const { id } = await world.newManifest([line])
    const intake = await world.arriveOne(world.slabOf(line))
    same([intake.manifest_id, (await world.manifestWithLines(id)).status], [id, 'receiving'], 'the manifest')
  },
  'D6-9 a line may have sku and cert_number: it is matched by certificate first (decisions 11)': async (
    world,
  ) => {
    const { sku } = await world.newProduct()
    const line = world.slabLine({ sku })
    const { id } = await world.newManifest([line])
    const intake = await world.arriveOne(world.slabOf(line))
    same(intake.manifest_id, id, 'the manifest')
    same((await world.reportOf(id)).lines[0]?.match_key, 'cert_number', 'match_key')
    const twice = world.manifestBody([world.slabLine({ quantity: 2 })])
    faulty(await world.ask('submitManifest', { json: twice }), 'lines[0].quantity')
  },
  'D6-10 an arrival window in the past is accepted; an end before its start is a 400 (decisions 11)': async (
    world,
  ) => {
    const past = { expected_arrival_start: '2031-05-02', expected_arrival_end: '2031-05-02' }
    same((await world.newManifest(undefined, past)).expected_arrival_end, '2031-05-02', 'the end')
    const json = { ...world.manifestBody(), ...past, expected_arrival_end: '2031-05-01' }
    faulty(await world.ask('submitManifest', { json }), 'expected_arrival_end')
    const old = await world.newManifest(undefined, { expected_arrival_start: '2020-01-01' })
    same((await world.close(old)).expected_arrival_start, '2020-01-01', 'a start long ago')
  },
})

async function stockByStatus(world: World): Promise<void> {
  const { sku } = await world.newProduct()
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
    await world.units({ sku }, status)
    sum.on_hand += on_hand
    sum.available += available
    sum.allocated += allocated
    const { results } = (await world.client.listInventory({ query: { sku } })).data
    same(results, [sum], `the level with one more that is ${status}`)
  }
}

async function lineIds(world: World, id: string): Promise<string[]> {
  return each((await world.manifestWithLines(id)).lines, 'id')
}
