import type { ItemStatus } from '../../contract/enums.ts'
import { entriesOf } from '../check.ts'
import { each, holds, present, refused, same } from '../expectations.ts'
import {
  address,
  advance,
  advanceOrder,
  arriveOne,
  availableSlab,
  availableUnits,
  cancel,
  endTransfer,
  itemOf,
  listed,
  newProduct,
  noQid,
  order,
  sellBack,
  slabArrival,
  twoSlabs,
  unitOf,
} from '../making.ts'
import type { World } from '../world.ts'

/** Decisions 7: items, lists, stock. */
export const itemDecisions = entriesOf({
  'D7-1 each edge of the item graph is walked by its own cause': async (world) => {
    const slab = await availableSlab(world)
    const status = async () => (await itemOf(world, slab)).status
    const made = await order(world, [slab])
    same(await status(), 'in_fulfillment', 'fulfillment created')
    await advanceOrder(world, made, { to_status: 'shipped' })
    same(await status(), 'in_transit', 'fulfillment shipped')
    await advanceOrder(world, made, { to_status: 'delivered' })
    same(await status(), 'delivered', 'standard fulfillment delivered')
    await advanceOrder(world, made, { to_status: 'returned' })
    same(await status(), 'received', 'fulfillment returned')
    same((await advance(world, slab, 'digitized')).status, 'digitized', 'imagery attached')
    same((await advance(world, slab, 'available')).status, 'available', 'stored')
    const transfer = await sellBack(world, [slab])
    same(await status(), 'pending_transfer', 'transfer requested')
    await endTransfer(world, transfer, 'cancelled')
    same(await status(), 'available', 'transfer cancelled')
    const last = await sellBack(world, [slab])
    await endTransfer(world, last, 'completed')
    same(await status(), 'released', 'transfer completed')
  },
  'D7-2 a withdrawal fulfillment delivered makes its items withdrawn; returned, they are received again':
    async (world) => {
      const slab = await availableSlab(world)
      const made = await order(world, [slab], { type: 'withdrawal' })
      await advanceOrder(world, made, { to_status: 'delivered' })
      same((await itemOf(world, slab)).status, 'withdrawn', 'delivered')
      await advanceOrder(world, made, { to_status: 'returned' })
      same((await itemOf(world, slab)).status, 'received', 'returned')
    },
  'D7-3 nothing that is not an edge is legal: an item is ordered and sold only while it is available': async (
    world,
  ) => {
    const received = await arriveOne(world)
    const [held, sold] = await twoSlabs(world)
    await order(world, [held])
    await sellBack(world, [sold])
    for (const { qid } of [received, held, sold]) {
      const json = { qids: [qid] }
      refused(await world.ask('requestTransfer', { json }), 409, 'state_conflict')
      const shipped = { ...json, shipping_address: address }
      refused(await world.ask('createFulfillment', { json: shipped }), 409, 'state_conflict')
    }
  },
  'D7-4 every edge and every non-edge of the three graphs':
    'test/domain/item-states.test.ts: a cause that the status does not know throws, for all such pairs',
  'D7-5 GET /items without status leaves out delivered, released and withdrawn; with status it lists them':
    async (world) => {
      const product = await newProduct(world)
      const units = await availableUnits(world, product, 4)
      for (const [at, status] of (['delivered', 'released', 'withdrawn'] as const).entries())
        await advance(world, present(units[at], 'the unit'), status)
      const { sku } = product
      same(await listed(world, { sku }), [units[3]?.qid], 'without status')
      for (const [at, status] of (['delivered', 'released', 'withdrawn'] as const).entries())
        same(await listed(world, { sku, status }), [units[at]?.qid], status)
    },
  'D7-6 the summary counts every status, and total is their sum': async (world) => {
    await advance(world, await availableSlab(world), 'released')
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
  'D7-8 inventory is in the order of the SKUs; sku is an exact match; catalog SKUs without stock have zeros':
    async (world) => {
      const product = await newProduct(world)
      const one = (await world.client.listInventory({ query: { sku: product.sku } })).data
      same([one.total, one.results[0]?.on_hand], [1, 0], 'of a SKU without stock')
      const part = product.sku.slice(0, -1)
      same((await world.client.listInventory({ query: { sku: part } })).data.total, 0, 'of a part of it')
      const { results } = (await world.client.listInventory({ query: { page_size: 250 } })).data
      const skus = each(results, 'sku')
      same(skus, skus.toSorted(), 'the order')
    },
  'D7-9 inventory lists slab SKUs that have or had stock (decisions 11)': async (world) => {
    const intake = await arriveOne(world, slabArrival(world, { name: world.unique('Mew') }))
    const { qid, sku } = intake.item
    const level = async () => (await world.client.listInventory({ query: { sku } })).data.results
    same(await level(), [{ sku, on_hand: 1, available: 0, allocated: 0 }], 'with stock')
    await advance(world, { qid }, 'released')
    same(await level(), [{ sku, on_hand: 0, available: 0, allocated: 0 }], 'without')
  },
  'D7-10 active_fulfillment_id is set from creation to delivery, cancel or return; null afterwards (decisions 11)':
    async (world) => {
      const slab = await availableSlab(world)
      const active = async () => (await itemOf(world, slab)).active_fulfillment_id
      const first = await order(world, [slab])
      await cancel(world, first)
      same(await active(), null, 'after the cancel')
      const second = await order(world, [slab])
      await advanceOrder(world, second, { to_status: 'shipped' })
      same(await active(), second.id, 'in transit')
      await advanceOrder(world, second, { to_status: 'delivered' })
      same(await active(), null, 'after delivery')
      await advanceOrder(world, second, { to_status: 'returned' })
      same(await active(), null, 'after the return')
    },
  'D7-11 search is a substring of name or SKU without case; sku on /items is partial without case (decisions 11)':
    async (world) => {
      const name = `Mewtwo ${world.unique('Rocket')}`
      const intake = await arriveOne(world, slabArrival(world, { name }))
      const { qid, sku } = intake.item
      for (const query of [
        { search: name.toLowerCase() },
        { search: name.toUpperCase().slice(3) },
        { search: sku.toLowerCase() },
      ])
        same(await listed(world, query), [qid], JSON.stringify(query))
      same(await listed(world, { sku: sku.toLowerCase().slice(3) }), [qid], 'by a part of the SKU')
      same(await listed(world, { search: `${name}%` }), [], 'a sign with a meaning in SQL')
    },
  'D7-12 an unknown manifest_id filter lists nothing; a page past the end is empty (decisions 11)': async (
    world,
  ) => {
    const manifest_id = '019aaaaa-0000-7000-8000-000000000001'
    same(await listed(world, { manifest_id }), [], 'items of an unknown manifest')
    same((await world.client.listIntakes({ query: { manifest_id } })).data.total, 0, 'intakes of it')
    const { sku } = await newProduct(world)
    const { data } = await world.client.listProducts({ query: { sku, page: 9, page_size: 1 } })
    const numbers = [data.results, data.count, data.total, data.next, data.previous_page_number]
    same(numbers, [[], 0, 1, null, 1], 'results, count, total, next, previous page')
    same(new URL(data.previous ?? '').searchParams.get('page'), '1', 'the page in previous')
  },
  'D7-13 an unknown QID in an order is a 404, without a word about it': async (world) => {
    const slab = await availableSlab(world)
    const json = { qids: [slab.qid, noQid] }
    const refusal = refused(await world.ask('requestTransfer', { json }), 404, 'not_found')
    holds(!JSON.stringify(refusal).includes(noQid), 'the QID is not repeated', refusal)
    same((await itemOf(world, slab)).status, 'available', 'the other item')
  },
})

async function stockByStatus(world: World): Promise<void> {
  const { sku } = await newProduct(world)
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
    const intake = await arriveOne(world, unitOf({ sku }))
    if (status !== 'received') await advance(world, intake, status)
    sum.on_hand += on_hand
    sum.available += available
    sum.allocated += allocated
    const { results } = (await world.client.listInventory({ query: { sku } })).data
    same(results, [sum], `the level with one more that is ${status}`)
  }
}
