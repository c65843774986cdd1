import { beforeAll, describe, expect, test } from 'vitest'
import { inScope, sql, type Tx } from '../../src/store/database.ts'
import { readCount } from '../../src/store/tables/counts.ts'
import { insertStock } from '../../src/store/tables/stock.ts'
import { box } from '../support/box.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'

describe.each(databases)('a statement after the end of its transaction, over $name', (database) => {
  const harness = forAllTests(harnessWith(database))
  beforeAll(async () => {
    await harness.client.createProduct({ body: box('BOX') })
  })

  test.each([
    ['failed', true],
    ['was committed', false],
  ])('is rejected if its task %s, and never joins another transaction', async (_, fails) => {
    const ended = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const task = async (tx: Tx): Promise<void> => {
      late = ended.promise.then(() => insertStock(inScope(tx, harness.scope.id), ['LATE']))
      late.catch(() => {})
      await tx.get(sql`select 1`)
      if (fails) throw new Error('it failed')
    }
    await harness.db.write(task, { brief: true }).catch(() => {})
    ended.resolve()
    await harness.client.createProduct({ body: box(`NEXT-${fails}`) })
    await expect(late).rejects.toThrow('a statement came after the end of its transaction')
    const [stored, counted] = await harness.db.read(async (tx) => {
      const rows = await tx.all(sql`select sku from stock where scope_id = ${harness.scope.id}`)
      return [rows.length, await readCount(inScope(tx, harness.scope.id), 'stock', '')]
    })
    expect(stored).toBe(counted)
  })
})
