import { describe, expect, test } from 'vitest'
import { itemStatuses } from '../../src/contract/enums.ts'
import type { InventoryLevel } from '../../src/contract/resources/item.ts'
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
})
