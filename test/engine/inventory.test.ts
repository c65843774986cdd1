import { describe, expect, test } from 'vitest'
import { type ItemStatus, itemStatuses } from '../../src/contract/enums.ts'
import type { InventoryLevel } from '../../src/contract/resources/item.ts'
import { box } from '../support/box.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import { storeItems } from '../support/stored-items.ts'

describe.each(usualDatabases)('GET /inventory over $name (4.6, decisions 7)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const inventory = async (query = {}): Promise<InventoryLevel[]> => {
    const { data } = await harness.client.listInventory({ query })
    expect(data.total).toBe(data.results.length)
    return data.results
  }

  test.each<[ItemStatus, number, number, number]>([
    ['received', 1, 0, 0],
    ['digitized', 1, 0, 0],
    ['available', 1, 1, 0],
    ['in_fulfillment', 1, 0, 1],
    ['in_transit', 0, 0, 0],
    ['delivered', 0, 0, 0],
    ['pending_transfer', 1, 0, 1],
    ['released', 0, 0, 0],
    ['withdrawn', 0, 0, 0],
  ])('counts %s as %i on hand, %i available, %i allocated', async (status, on_hand, available, allocated) => {
    await storeItems(harness, [{ sku: 'ETB-1', status }])
    expect(await inventory()).toEqual([{ sku: 'ETB-1', on_hand, available, allocated }])
  })

  test('sums the items of each SKU, slabs and products, in order of SKU', async () => {
    const all = itemStatuses.map((status) => ({ sku: 'ETB-1', status }))
    const slab = { sku: 'GS-PSA-10-AAAA1111', cert_number: '1' }
    await storeItems(harness, [...all, slab, { ...slab, cert_number: '2' }, { sku: 'etb-1' }, { sku: 'É' }])
    expect(await inventory()).toEqual([
      { sku: 'ETB-1', on_hand: 5, available: 1, allocated: 2 },
      { sku: 'GS-PSA-10-AAAA1111', on_hand: 2, available: 2, allocated: 0 },
      { sku: 'etb-1', on_hand: 1, available: 1, allocated: 0 },
      { sku: 'É', on_hand: 1, available: 1, allocated: 0 },
    ])
  })

  test('lists catalog SKUs without stock with zeros, and keeps a SKU that had stock', async () => {
    const { client } = harness
    await client.createProduct({ body: box('BOX-1') })
    const [item] = await storeItems(harness, [{ sku: 'SOLD-1' }])
    const { data: transfer } = await client.requestTransfer({ body: { qids: [item?.qid ?? ''] } })
    expect((await inventory({ sku: 'SOLD-1' }))[0]).toMatchObject({ on_hand: 1, available: 0, allocated: 1 })
    const params = { transfer_id: transfer.id }
    await client.resolveTransfer({ params, body: { to_status: 'completed' } })
    expect(await inventory()).toEqual([
      { sku: 'BOX-1', on_hand: 0, available: 0, allocated: 0 },
      { sku: 'SOLD-1', on_hand: 0, available: 0, allocated: 0 },
    ])
  })

  test('raises the level of a catalog SKU for its item, and adds no other', async () => {
    await harness.client.createProduct({ body: box('BOX-1') })
    await storeItems(harness, [{ sku: 'BOX-1' }])
    expect(await inventory()).toEqual([{ sku: 'BOX-1', on_hand: 1, available: 1, allocated: 0 }])
  })

  test('matches sku exactly, and shows another partner nothing', async () => {
    await storeItems(harness, [{ sku: 'ETB-1' }, { sku: 'ETB-10' }])
    expect((await inventory({ sku: 'ETB-1' })).map(({ sku }) => sku)).toEqual(['ETB-1'])
    expect(await inventory({ sku: 'etb-1' })).toEqual([])
    expect(await inventory({ sku: 'ETB' })).toEqual([])
    expect((await harness.stranger.listInventory({})).data.total).toBe(0)
    const { data } = await harness.client.listInventory({ query: { sku: 'ETB-1', page: 2 } })
    expect([data.results, data.total, data.previous_page_number]).toEqual([[], 1, 1])
  })

  test('pages follow each other in order', async () => {
    await storeItems(
      harness,
      ['C', 'A', 'E', 'B', 'D'].map((sku) => ({ sku })),
    )
    const skus: string[][] = []
    for (const page of [1, 2, 3]) {
      const { data } = await harness.client.listInventory({ query: { page, page_size: 2 } })
      expect(data.total).toBe(5)
      skus.push(data.results.map(({ sku }) => sku))
    }
    expect(skus).toEqual([['A', 'B'], ['C', 'D'], ['E']])
  })
})
