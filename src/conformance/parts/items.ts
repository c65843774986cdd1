import { itemStatuses } from '../../contract/enums.ts'
import { answered, each, faulty, holds, present, rejected, same } from '../check.ts'
import { shaped, shapes } from '../shapes.ts'
import { entriesOf, noQid, seenBy, unitOf } from '../world.ts'

export const itemRules = entriesOf({
  '2.5-1 a graded slab has the fields of 2.5, with cert_number, grade, and grader as strings': async (
    world,
  ) => {
    const arrival = world.slabArrival({ category: 'pokemon' })
    const item = await world.itemOf(await world.arriveOne(arrival))
    shaped(item, shapes.slab, 'the slab')
    const { name, cert_number, grade, grader, set, card_number, category } = arrival
    const given = { type: 'graded_slab', name, cert_number, grade, grader, set, card_number, category }
    same({ ...item, ...given }, item, 'the slab')
  },
  "2.5-2 a product item has cert_number, grade, and grader as null, and the catalog's SKU": async (world) => {
    const { sku, name } = await world.newProduct()
    const item = await world.itemOf(await world.arriveOne(unitOf({ sku })))
    shaped(item, shapes.productItem, 'the product item')
    same([item.type, item.sku, item.name], ['product', sku, name], 'type, SKU, and name')
  },
  '2.5-3 model_3d is reserved: present and null (part 9)': seenBy('D2-7'),
  "2.5-4 the QID is stable for the item's lifetime": async (world) => {
    const { qid } = await world.availableSlab()
    for (const status of ['delivered', 'received', 'available'] as const) {
      const item = await world.advance({ qid }, status)
      same([item.qid, item.status], [qid, status], 'qid and status')
    }
  },
  "2.5-5 manifest_line_id is the line matched at intake, or null; external_ref is that line's": async (
    world,
  ) => {
    const line = world.slabLine({ external_ref: world.unique('LOT') })
    const { id } = await world.newManifest([line])
    const matched = await world.arriveOne(world.slabOf(line))
    const other = await world.arriveOne()
    same(matched.item.external_ref, line.external_ref, 'external_ref')
    same(matched.item.manifest_line_id, matched.manifest_line_id, 'manifest_line_id')
    holds(typeof matched.manifest_line_id === 'string', 'the slab was matched to its line', matched)
    same((await world.manifestWithLines(id)).lines[0]?.matched_qids, [matched.qid], 'matched_qids')
    same([other.item.manifest_line_id, other.item.external_ref], [null, null], 'of an unmatched slab')
  },
  '2.5-6 active_fulfillment_id is the fulfillment that holds the item now, or null': seenBy('D7-10'),
  '2.5-7 image_assets have variant, url, width, height, format: own images of a slab, catalog images of a product':
    async (world) => {
      const slab = await world.availableSlab()
      holds(slab.image_assets.length > 0, 'a slab on the shelf has imagery', slab.image_assets)
      const image_url = 'https://cdn.example/booster.png'
      const { sku } = await world.newProduct({ image_url })
      const unit = await world.advance(await world.arriveOne(unitOf({ sku })), 'available')
      same(unit.image_assets[0]?.url, image_url, "the product's imagery")
      for (const asset of [...slab.image_assets, ...unit.image_assets])
        shaped(asset, shapes.imageAsset, 'the asset')
    },
  '2.5-8 intake_at is when intake completed; updated_at changes with every change and is never earlier':
    async (world) => {
      const intake = await world.arriveOne()
      const before = await world.itemOf(intake)
      const after = await world.advance(before, 'available')
      same([before.intake_at, after.intake_at], [intake.intake_at, intake.intake_at], 'intake_at')
      holds(after.updated_at >= before.updated_at, 'updated_at did not go back', [
        before.updated_at,
        after.updated_at,
      ])
    },
  '2.6-1 an intake event has the fields of 2.6, each of its type': async (world) => {
    const { id } = await world.newManifest()
    const intake = await world.arriveOne(world.slabArrival(), id)
    shaped(intake, shapes.intakeEvent, 'the intake')
    shaped(intake.item, shapes.slab, 'its item')
    const { qid, intake_at } = intake.item
    same({ ...intake, manifest_id: id, qid, intake_at }, intake, 'its parts')
  },
  '2.6-2 condition_flags has the flags of intake, and is empty for an item that verified clean': async (
    world,
  ) => {
    const clean = await world.arriveOne()
    same(clean.condition_flags, [], 'of a clean item')
    const flags = ['cracked_case', 'label_mismatch']
    const flagged = await world.arriveOne(world.slabArrival({ condition_flags: flags }))
    same(flagged.condition_flags, flags, 'of a flagged item')
  },
  '2.6-3 GET /intakes and the item.intake.completed event have the same payload': async (world) => {
    const arrival = world.slabArrival()
    const { result, events } = await world.events.during(
      () => world.arrive([arrival]),
      (intakes) => each(intakes, 'qid'),
    )
    await world.advance(present(result[0], 'the intake'), 'available')
    const query = { cert_number: arrival.cert_number }
    const listed = (await world.client.listIntakes({ query })).data.results
    same(each(events, 'data'), listed, 'the data of the event')
    same(listed, result, 'the intakes')
  },
  '2.10-1 the summary has total, and by_status with counts by item status': async (world) => {
    await world.arrive()
    const { data } = await world.client.getItemSummary({})
    shaped(data, shapes.summary, 'the summary')
    const unknown = Object.keys(data.by_status).filter((key) => !itemStatuses.some((name) => name === key))
    same(unknown, [], 'keys that are not an ItemStatus')
    holds((data.by_status.received ?? 0) >= 1, 'a new arrival is counted as received', data)
  },
  '4.3-1 GET /items lists everything held: stored, in fulfillment, in flight': async (world) => {
    const { sku } = await world.newProduct()
    const held = await world.units({ sku }, 'received', 'available', 'in_fulfillment', 'in_transit')
    same(await world.listed({ sku, sort_dir: 'asc' }), each(held, 'qid'), 'the items')
  },
  '4.3-2 GET /items?status= lists the items with this status': async (world) => {
    const { sku } = await world.newProduct()
    const [received, available] = each(await world.units({ sku }, 'received', 'available'), 'qid')
    same(await world.listed({ sku, status: 'received' }), [received], 'received')
    same(await world.listed({ sku, status: 'available' }), [available], 'available')
    faulty(await world.ask('listItems', { query: { status: 'lost' } }), 'status')
  },
  '4.3-3 GET /items?sku= matches part of the SKU': seenBy('D7-11'),
  '4.3-4 GET /items?cert_number= matches exactly, and grader= the grader': async (world) => {
    const intake = await world.arriveOne()
    const { qid, cert_number } = intake.item
    const cert = cert_number ?? ''
    same(await world.listed({ cert_number: cert }), [qid], 'by the certificate')
    same(await world.listed({ cert_number: cert.slice(0, -1) }), [], 'by a part of it')
    same(await world.listed({ cert_number: cert, grader: 'PSA' }), [qid], 'with its grader')
    same(await world.listed({ cert_number: cert, grader: 'BGS' }), [], 'with another grader')
  },
  '4.3-5 GET /items?manifest_id= lists only the items matched to lines of this manifest': async (world) => {
    const arrival = world.slabArrival()
    const { id } = await world.newManifest([
      { description: 'A slab', grader: 'PSA', cert_number: arrival.cert_number ?? '' },
    ])
    const [matched] = await world.arrive([arrival, world.slabArrival()], id)
    same(await world.listed({ manifest_id: id }), [matched?.qid], 'the items')
    faulty(await world.ask('listItems', { query: { manifest_id: '42' } }), 'manifest_id')
  },
  '4.3-6 GET /items?search= searches name and SKU': seenBy('D7-11'),
  '4.3-7 GET /items is limited to an intake period by intake_after and intake_before': async (world) => {
    const intake = await world.arriveOne()
    const { intake_at, item } = intake
    const cert = { cert_number: item.cert_number ?? '' }
    same(await world.listed({ ...cert, intake_after: intake_at }), [item.qid], 'at its own time')
    same(await world.listed({ ...cert, intake_before: intake_at }), [], 'before its own time')
    const later = new Date(Date.parse(intake_at) + 1).toISOString()
    same(await world.listed({ ...cert, intake_after: later }), [], 'after it')
    faulty(await world.ask('listItems', { query: { intake_after: 'yesterday' } }), 'intake_after')
  },
  '4.3-8 GET /items is sorted by intake_at or updated_at, asc or desc; newest intake first by default':
    async (world) => {
      const { sku } = await world.newProduct()
      const [first = '', second] = each(await world.units({ sku }, 'received', 'received'), 'qid')
      await world.advance({ qid: first }, 'digitized')
      same(await world.listed({ sku }), [second, first], 'by default')
      same(await world.listed({ sku, sort_dir: 'asc' }), [first, second], 'ascending')
      const { data } = await world.client.listItems({ query: { sku, sort_by: 'updated_at' } })
      const times = each(data.results, 'updated_at')
      same([times.length, times], [2, times.toSorted().toReversed()], 'the times by updated_at')
      const wrong = { sort_by: 'name', sort_dir: 'up' }
      faulty(await world.ask('listItems', { query: wrong }), 'sort_by', 'sort_dir')
    },
  '4.3-9 GET /items/{qid}: 200 with the whole item; 404 if unknown': async (world) => {
    const intake = await world.arriveOne()
    const seen = await world.ask('getItem', { params: { qid: intake.qid } })
    same(answered(seen, 200).body, intake.item, 'the item')
    rejected(await world.ask('getItem', { params: { qid: noQid } }), 404, 'not_found')
  },
  '4.3-10 GET /items/summary counts follow the items': async (world) => {
    const counts = async () => (await world.client.getItemSummary({})).data
    const before = await counts()
    const slab = await world.availableSlab()
    await world.order([slab])
    const after = await counts()
    const grown = (status: 'received' | 'in_fulfillment') =>
      (after.by_status[status] ?? 0) - (before.by_status[status] ?? 0)
    same([after.total - before.total, grown('in_fulfillment'), grown('received')], [1, 1, 0], 'growth')
  },
  '4.3-11 POST /sandbox/items/{qid}/advance: 200 with the item in its new status; 404 if unknown': async (
    world,
  ) => {
    const intake = await world.arriveOne()
    const ask = (qid: string, json: object) => world.ask('advanceItem', { params: { qid }, json })
    const seen = answered(await ask(intake.qid, { to_status: 'digitized' }), 200)
    same((seen.body as { status: string }).status, 'digitized', 'status')
    rejected(await ask(noQid, { to_status: 'digitized' }), 404, 'not_found')
    faulty(await ask(intake.qid, {}), 'to_status')
    faulty(await ask(intake.qid, { to_status: 'lost' }), 'to_status')
  },
  '4.3-12 GET /intakes lists intake events, newest first, by manifest and by certificate': async (world) => {
    const { id } = await world.newManifest()
    const intakes = []
    for (let n = 0; n < 3; n++) intakes.push(...(await world.arrive(undefined, id)))
    const list = async (query: object) => (await world.client.listIntakes({ query })).data.results
    same(await list({ manifest_id: id }), intakes.toReversed(), 'by the manifest')
    same(await list({ cert_number: intakes[1]?.item.cert_number }), [intakes[1]], 'by a certificate')
    faulty(await world.ask('listIntakes', { query: { manifest_id: 'x' } }), 'manifest_id')
  },
  '4.3-13 GET /intakes: intake_after is inclusive, intake_before exclusive': async (world) => {
    const intake = await world.arriveOne()
    const { intake_at, item } = intake
    const count = async (query: object) => {
      const all = { cert_number: item.cert_number ?? '', ...query }
      return (await world.client.listIntakes({ query: all })).data.count
    }
    const later = new Date(Date.parse(intake_at) + 1).toISOString()
    const seen = [
      await count({ intake_after: intake_at }),
      await count({ intake_before: intake_at }),
      await count({ intake_before: later }),
      await count({ intake_after: later }),
    ]
    same(seen, [1, 0, 1, 0], 'after, before, before later, after later')
  },
})
