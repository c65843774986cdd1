import { itemStatuses } from '../../contract/enums.ts'
import { each, entriesOf, holds, same } from '../check.ts'
import * as make from '../making.ts'
import { shaped, shapes } from '../shapes.ts'

export const itemFields = entriesOf({
  '2.5-1 a graded slab has the fields of 2.5, with cert_number, grade, and grader as strings': async (
    world,
  ) => {
    const arrival = make.slabArrival(world, { category: 'pokemon' })
    const item = await make.itemOf(world, await make.arriveOne(world, arrival))
    shaped(item, shapes.slab, 'the slab')
    const { name, cert_number, grade, grader, set, card_number, category } = arrival
    const given = { type: 'graded_slab', name, cert_number, grade, grader, set, card_number, category }
    same({ ...item, ...given }, item, 'the slab')
  },
  "2.5-2 a product item has cert_number, grade, and grader as null, and the catalog's SKU": async (world) => {
    const { sku, name } = await make.newProduct(world)
    const item = await make.itemOf(world, await make.arriveOne(world, make.unitOf({ sku })))
    shaped(item, shapes.productItem, 'the product item')
    same([item.type, item.sku, item.name], ['product', sku, name], 'type, SKU, and name')
  },
  '2.5-3 model_3d is reserved: present and null (part 9)': async (world) => {
    const item = await make.availableSlab(world)
    same('model_3d' in item && item.model_3d, null, 'model_3d')
  },
  "2.5-4 the QID is stable for the item's lifetime": async (world) => {
    const { qid } = await make.availableSlab(world)
    for (const status of ['delivered', 'received', 'available'] as const) {
      const item = await make.advance(world, { qid }, status)
      same([item.qid, item.status], [qid, status], 'qid and status')
    }
  },
  "2.5-5 manifest_line_id is the line matched at intake, or null; external_ref is that line's": async (
    world,
  ) => {
    const line = make.slabLine(world, { external_ref: world.unique('LOT') })
    await make.newManifest(world, [line])
    const matched = await make.arriveOne(world, make.slabOf(world, line))
    const other = await make.arriveOne(world)
    same(matched.item.external_ref, line.external_ref, 'external_ref')
    same(matched.item.manifest_line_id, matched.manifest_line_id, 'manifest_line_id')
    holds(typeof matched.manifest_line_id === 'string', 'the slab was matched to its line', matched)
    same([other.item.manifest_line_id, other.item.external_ref], [null, null], 'of an unmatched slab')
  },
  '2.5-6 active_fulfillment_id is the fulfillment that holds the item now, or null': async (world) => {
    const slab = await make.availableSlab(world)
    same(slab.active_fulfillment_id, null, 'before')
    const { id } = await make.order(world, [slab])
    same((await make.itemOf(world, slab)).active_fulfillment_id, id, 'in the fulfillment')
  },
  '2.5-7 image_assets have variant, url, width, height, format: own images of a slab, catalog images of a product':
    async (world) => {
      const slab = await make.availableSlab(world)
      holds(slab.image_assets.length > 0, 'a slab on the shelf has imagery', slab.image_assets)
      const image_url = 'https://cdn.example/booster.png'
      const { sku } = await make.newProduct(world, { image_url })
      const unit = await make.advance(world, await make.arriveOne(world, make.unitOf({ sku })), 'available')
      same(unit.image_assets[0]?.url, image_url, "the product's imagery")
      for (const asset of [...slab.image_assets, ...unit.image_assets])
        shaped(asset, shapes.imageAsset, 'the asset')
    },
  '2.5-8 intake_at is when intake completed; updated_at changes with every change and is never earlier':
    async (world) => {
      const intake = await make.arriveOne(world)
      const before = await make.itemOf(world, intake)
      const after = await make.advance(world, before, 'available')
      same([before.intake_at, after.intake_at], [intake.intake_at, intake.intake_at], 'intake_at')
      holds(after.updated_at >= before.updated_at, 'updated_at did not go back', [
        before.updated_at,
        after.updated_at,
      ])
    },
  '2.6-1 an intake event has the fields of 2.6, each of its type': async (world) => {
    const { id } = await make.newManifest(world)
    const intake = await make.arriveOne(world, make.slabArrival(world), id)
    shaped(intake, shapes.intakeEvent, 'the intake')
    shaped(intake.item, shapes.slab, 'its item')
    const { qid, intake_at } = intake.item
    same({ ...intake, manifest_id: id, qid, intake_at }, intake, 'its parts')
  },
  '2.6-2 condition_flags has the flags of intake, and is empty for an item that verified clean': async (
    world,
  ) => {
    const clean = await make.arriveOne(world)
    same(clean.condition_flags, [], 'of a clean item')
    const flags = ['cracked_case', 'label_mismatch']
    const flagged = await make.arriveOne(world, make.slabArrival(world, { condition_flags: flags }))
    same(flagged.condition_flags, flags, 'of a flagged item')
  },
  '2.6-3 GET /intakes and the item.intake.completed event have the same payload': async (world) => {
    const arrival = make.slabArrival(world)
    const { result, events } = await world.events.during(
      () => make.arrive(world, [arrival]),
      (intakes) => each(intakes, 'qid'),
    )
    const query = { cert_number: arrival.cert_number }
    const listed = (await world.client.listIntakes({ query })).data.results
    same(each(events, 'data'), listed, 'the data of the event')
    same(listed, result, 'the intakes')
  },
  '2.10-1 the summary has total, and by_status with counts by item status': async (world) => {
    await make.arrive(world)
    const { data } = await world.client.getItemSummary({})
    shaped(data, shapes.summary, 'the summary')
    const unknown = Object.keys(data.by_status).filter((key) => !itemStatuses.some((name) => name === key))
    same(unknown, [], 'keys that are not an ItemStatus')
    holds((data.by_status.received ?? 0) >= 1, 'a new arrival is counted as received', data)
  },
})
