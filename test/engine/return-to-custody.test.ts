import { expect, test } from 'vitest'
import { databases, startHarness } from '../support/harness.ts'
import { arrive, slab } from '../support/manifests.ts'

test.each(databases)(
  'the flags of one intake do not pass to the next, over $name (2.6)',
  async (database) => {
    const harness = await startHarness(database)
    const { client } = harness
    const [damaged] = await arrive(client, [slab('1', { condition_flags: ['cracked_case'] })])
    const params = { qid: damaged?.qid ?? '' }
    for (const to_status of ['delivered', 'received'] as const)
      await client.advanceItem({ params, body: { to_status } })
    const { data } = await client.listIntakes({})
    expect(data.results.map((intake) => intake.condition_flags)).toEqual([[], ['cracked_case']])
    await harness.close()
  },
)
