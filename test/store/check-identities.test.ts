import { beforeAll, describe, expect, test } from 'vitest'
import { raw, type Sql, sql } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { shelve } from '../support/arrivals.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { boxes, ordering } from '../support/ordering.ts'

describe.each(databases)('db check of the identities of repeats, over $name', (database) => {
  const harness = forAllTests(harnessWith(database))
  beforeAll(async () => {
    const { client } = harness
    const items = await shelve(harness, [
      ...Array(20).fill({ sku: 'BOX' }),
      ...Array(4).fill({ sku: 'CARD' }),
    ])
    const qids = items.map(({ qid }) => qid)
    const { upload, order } = ordering(() => harness)
    await upload([boxes('W-1', 2), boxes(undefined, 3), { qid: qids[19], external_ref: 'W-2' }])
    await order({ qids: qids.slice(16, 19), external_ref: 'W-3' })
    await order({ qids: qids.slice(14, 16) })
    const mixed = [{ qid: qids[20]! }, { sku: 'CARD', quantity: 2 }, { sku: 'BOX', quantity: 1 }]
    await order({ lines: mixed })
    await order({ lines: [{ sku: 'BOX', quantity: 1 }], external_ref: '#1002' })
    const lines = [{ description: 'Two', quantity: 2 }, { description: 'One' }]
    for (const reference of ['PO-1', 'PO-2'])
      await client.submitManifest({ body: { reference, lines }, repeats: 'skip' })
    // A second request keeps its content.
    await client.submitManifest({ body: { reference: 'PO-1', lines }, repeats: 'skip' })
  })

  /** The findings while a table is damaged. */
  const findingsAfter = async (table: string, damage: Sql, undo: Sql) => {
    const change = (statement: Sql) => harness.db.write((tx) => tx.run(statement))
    expect(await change(damage)).toBeGreaterThan(0)
    const findings = await checkDatabase(harness.db)
    await change(undo)
    return findings.filter((finding) => finding.table === table).map(({ problem }) => problem)
  }

  test('finds nothing in orders and manifests of every form', async () => {
    const { n } = (await harness.db.read((tx) =>
      tx.get<{ n: number }>(sql`select count(content) as n from manifests`),
    )) ?? { n: 0 }
    expect(Number(n)).toBeGreaterThan(0)
    expect(await checkDatabase(harness.db)).toEqual([])
  })

  test('finds an identity that does not match its order, and an order without one', async () => {
    const [damage, undo] = [sql`'x' || identity`, sql`substr(identity, 2)`].map(
      (identity) => sql`update order_identities set identity = ${identity}`,
    ) as [Sql, Sql]
    expect(await findingsAfter('order_identities', damage, undo)).toEqual(
      Array(7).fill('does not match its order'),
    )
    expect(await findingsAfter('fulfillments', damage, undo)).toEqual(
      Array(7).fill('has no identity, so repeats of it are not found'),
    )
  })

  test('finds an identity of a missing order', async () => {
    const row = [harness.scope.id, 'a', 'nobody'] as const
    expect(
      await findingsAfter(
        'order_identities',
        sql`insert into order_identities (scope_id, identity, fulfillment_id) values (${row[0]}, ${row[1]}, ${row[2]})`,
        sql`delete from order_identities where fulfillment_id = 'nobody'`,
      ),
    ).toEqual(['its order does not exist'])
  })

  test("finds a content that does not match its manifest's lines", async () => {
    const change = (by: string) => sql`update manifests set content = ${raw(by)} where content is not null`
    expect(await findingsAfter('manifests', change("'x' || content"), change('substr(content, 2)'))).toEqual([
      expect.stringMatching(/^content is x[0-9a-f]{32}, its lines say [0-9a-f]{32}$/),
    ])
  })
})
