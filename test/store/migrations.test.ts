import { expect, test } from 'vitest'
import { itemStatuses } from '../../src/contract/enums.ts'
import { checkDatabase } from '../../src/store/check.ts'
import { migrate } from '../../src/store/migrate.ts'
import { sql } from '../../src/store/sql.ts'
import { databases, startHarness } from '../support/harness.ts'
import { storeItems } from '../support/stored-items.ts'

test.each(databases)(
  'items that were there before migration 3 are counted by it, over $name',
  async (database) => {
    const harness = await startHarness(database)
    const times = ['2026-01-09T23:59:59.999Z', '2026-01-10T00:00:00.000Z', '2026-01-31T12:00:00.000Z']
    const items = itemStatuses.flatMap((status) => times.map((intake_at) => ({ status, intake_at })))
    await storeItems(harness, items)
    await storeItems(harness, items.slice(5), harness.strangerScope)
    await harness.db.write(async (tx) => {
      await tx.run(sql`delete from counts where kind in ('items_by_intake', 'items_by_update')`)
      await tx.run(sql`delete from schema_version where version = 3`)
    })
    expect(await checkDatabase(harness.db)).not.toEqual([])
    expect(await migrate(harness.db)).toEqual([3])
    expect(await checkDatabase(harness.db)).toEqual([])
    await harness.close()
  },
)
