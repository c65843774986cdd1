import { expect, test } from 'vitest'
import { itemStatuses } from '../../src/contract/enums.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { migrate } from '../../src/store/migrate.ts'
import { sql } from '../../src/store/sql.ts'
import { databases, startHarness } from '../support/harness.ts'
import { outcomeOf } from '../support/outcome.ts'
import { storeItems } from '../support/stored-items.ts'

/** What migration 3 made. */
const undone = [
  sql`delete from counts where kind in ('items_by_intake', 'items_by_update')`,
  sql`alter table scopes rename column claims to version`,
  sql`alter table scopes drop column schema_version`,
  sql`delete from schema_version where version >= 3`,
]

test.each(databases)(
  'items that were there before migration 3 are counted by it, over $name',
  async (database) => {
    const harness = await startHarness(database)
    const times = ['2026-01-09T23:59:59.999Z', '2026-01-10T00:00:00.000Z', '2026-01-31T12:00:00.000Z']
    const items = itemStatuses.flatMap((status) => times.map((intake_at) => ({ status, intake_at })))
    await storeItems(harness, items)
    await storeItems(harness, items.slice(5), harness.strangerScope)
    await harness.db.write(async (tx) => {
      for (const statement of undone) await tx.run(statement)
    })
    expect(await checkDatabase(harness.db)).not.toEqual([])
    expect(await migrate(harness.db)).toEqual([3, 4])
    expect(await checkDatabase(harness.db)).toEqual([])
    await harness.close()
  },
)

test.each(databases)(
  'what a newer custody has migrated, a process that still runs writes nothing into, over $name',
  async (database) => {
    const harness = await startHarness(database)
    const add = (sku: string) => harness.client.createProduct({ body: { ...product, sku } })
    expect((await add('BEFORE')).status).toBe(201)
    await harness.db.write((tx) => tx.run(sql`update scopes set schema_version = 999`))
    const { status, headers } = await outcomeOf(add('AFTER'))
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect((await harness.client.listProducts({})).data.results.map(({ sku }) => sku)).toEqual(['BEFORE'])
    // A process of before migration 3 cannot claim a scope at all.
    const claim = sql`update scopes set version = version + 1 where id = ${harness.scope.id}`
    await expect(harness.db.write((tx) => tx.run(claim))).rejects.toThrow(/version/)
    await harness.close()
  },
)

const product = {
  name: 'Toploader',
  dimensions: { height: 1, length: 1, width: 1, unit: 'cm' },
  weight: { value: 1, unit: 'g' },
} as const
