import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BrokenInvariant } from '../../src/domain/rejection.ts'
import type { LogEntry } from '../../src/service/context.ts'
import { inScope, sql } from '../../src/store/database.ts'
import { digestTable } from '../../src/store/maintenance/copy.ts'
import { type ScopedTable, scopedTables } from '../../src/store/maintenance/scoped-rows.ts'
import { shelve } from '../support/arrivals.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { orderOf } from '../support/orders.ts'

describe.each(databases)('a broken invariant over $name', (database) => {
  let harness: Harness
  const entries: LogEntry[] = []
  beforeEach(async () => {
    entries.length = 0
    harness = await startHarness(database, { service: { log: (entry) => void entries.push(entry) } })
  })
  afterEach(() => harness.close())

  const digests = () =>
    harness.db.read(async (tx) => {
      const found = []
      for (const table of Object.keys(scopedTables) as ScopedTable[])
        found.push([table, await digestTable(inScope(tx, harness.scope.id), table, new Set())])
      return found
    })

  test('answers 500, names the ids in the log, and writes nothing', async () => {
    const [item, other] = await shelve(harness, [{}, {}])
    const change = (from: string, to: string) =>
      harness.db.write((tx) =>
        tx.run(sql`update items set doc = replace(doc, ${from}, ${to}) where qid = ${item!.qid}`),
      )
    const [free, held] = ['"active_fulfillment_id":null', '"active_fulfillment_id":"another"']
    // As if another order held the item, although its row says available.
    await change(free, held)
    const before = await digests()
    const create = (items: Array<{ qid: string }>) =>
      harness.client.createFulfillment({ body: orderOf(items) })
    await expect(create([other!, item!])).rejects.toMatchObject({ status: 500, code: 'internal_error' })
    const { error } = entries.at(-1) as LogEntry
    expect(error).toBeInstanceOf(BrokenInvariant)
    expect(String(error)).toContain(`an ordered item was on no order (${item!.qid})`)
    expect(await digests()).toEqual(before)
    await change(held, free)
    expect((await create([other!, item!])).status).toBe(201)
  })
})
