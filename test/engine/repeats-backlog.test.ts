import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../src/domain/computing.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { runTimedWork } from '../../src/engine/timed-work.ts'
import { createService } from '../../src/service/service.ts'
import { sql } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { shelve } from '../support/arrivals.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { clientWith, databases, usualTest } from '../support/harness.ts'
import { boxes, ordering, rejectionOf } from '../support/ordering.ts'
import { undoneRepeats } from '../support/rules-undone.ts'

describe.each(databases)('repeats of orders from before migration 14 over $name', (database) => {
  const usual = usualTest(database)
  const harness = forEachTest(harnessWith(database))

  const { upload, order, orders } = ordering(() => harness)

  /** Migrates a database that does not know identities yet. */
  const forgetIdentities = async () => {
    await harness.db.write(async (tx) => {
      for (const statement of undoneRepeats) await tx.run(statement)
    })
    await migrate(harness.db)
  }
  const backlog = async () =>
    harness.db.read((tx) => tx.get(sql`select 1 from identity_backlogs where scope_id = ${harness.scope.id}`))

  test('are recognised, and sound, with the hashes that version 1.0.0 made of decomposed letters', async () => {
    await shelve(harness, Array(2).fill({ sku: 'BOX' }))
    const rows = [boxes('Café-1'.normalize('NFD')), boxes(undefined, 1, { city: 'Orléans'.normalize('NFD') })]
    const { created } = await upload(rows)
    const { db, scope } = harness
    const asSent = (text: unknown): string => sha256(JSON.stringify(text)).slice(0, 32)
    await db.write((tx) =>
      tx.run(sql`update order_identities set identity = ${asSent(['sku', rows[0]!.external_ref, 'BOX'])}
        where scope_id = ${scope.id} and fulfillment_id = ${created[0]!.id}`),
    )
    expect((await upload(rows)).repeated?.map(({ row }) => row)).toEqual([1, 2])
    expect(await harness.findings()).toEqual([])
  })

  usual('are recognised in every form by the first request that needs them', async () => {
    const items = await shelve(harness, Array(9).fill({ sku: 'BOX' }))
    const rows = [boxes('WEB-1', 2), { qid: items[8]?.qid, external_ref: 'WEB-2' }, boxes(undefined)]
    await upload(rows, 'allow')
    const lines = [{ sku: 'BOX', quantity: 2 }]
    const shop = await order({ lines, external_ref: '#1002' }, 'allow')
    await forgetIdentities()
    const again = await upload(rows)
    expect(again.created).toEqual([])
    expect(again.errors).toEqual([])
    expect(again.repeated?.map(({ row, by }) => [row, by])).toEqual([
      [1, 'reference'],
      [2, 'reference'],
      [3, 'content'],
    ])
    expect(await order({ lines, external_ref: '#1002' })).toEqual({
      status: 200,
      data: shop.data,
      repeated: 'true',
    })
    expect(await orders()).toHaveLength(4)
    expect(await backlog()).toBeUndefined()
  })

  usual('are found from the oldest to the newest of 230 orders in several steps', async () => {
    await shelve(harness, Array(231).fill({ sku: 'BOX' }))
    await upload(
      Array.from({ length: 230 }, (_, at) => boxes(`WEB-${at}`)),
      'allow',
    )
    await forgetIdentities()
    const again = await upload([boxes('WEB-0'), boxes('WEB-115'), boxes('WEB-229'), boxes('WEB-230')])
    expect(again.repeated?.map(({ row }) => row)).toEqual([1, 2, 3])
    expect(again.created.map(({ external_ref }) => external_ref)).toEqual(['WEB-230'])
    expect(await backlog()).toBeUndefined()
  })

  usual('are recognised for an order placed while others had no identity yet', async () => {
    await shelve(harness, Array(4).fill({ sku: 'BOX' }))
    await upload([boxes('WEB-1')], 'allow')
    await forgetIdentities()
    await upload([boxes('WEB-2')], 'allow')
    const again = await upload([boxes('WEB-1'), boxes('WEB-2')])
    expect(again.repeated?.map(({ row }) => row)).toEqual([1, 2])
    expect(await orders()).toHaveLength(2)
  })

  usual('are named, not repeated, if the earlier order differs or was cancelled', async () => {
    await shelve(harness, Array(6).fill({ sku: 'BOX' }))
    const { created } = await upload([boxes('WEB-1'), boxes('WEB-2')], 'allow')
    await harness.client.cancelFulfillment({ params: { fulfillment_id: created[1]?.id ?? '' } })
    await forgetIdentities()
    const again = await upload([boxes('WEB-1', 2), boxes('WEB-2')])
    expect(again.created).toEqual([])
    expect(again.errors.map(({ row, code, fields }) => [row, code, Object.keys(fields)])).toEqual([
      [1, 'state_conflict', ['quantity']],
      [2, 'state_conflict', ['external_ref']],
    ])
  })

  test('get a 429 while many are left, are prepared between requests, and no transaction takes long', async () => {
    await shelve(harness, Array(601).fill({ sku: 'BOX' }))
    await upload(
      Array.from({ length: 600 }, (_, at) => boxes(`WEB-${at}`)),
      'allow',
    )
    await forgetIdentities()
    // Each reading of the clock is a tenth of a second later.
    let uptime = 0
    const sources = { ...harness.sources, uptime: () => (uptime += 100) }
    const { db, scope } = harness
    const service = createService({ db, environment: 'sandbox', sources, settings: defaultSettings })
    const served = ordering(() => ({ client: clientWith(service, harness.key, sources) }))
    expect(await rejectionOf(served.upload([boxes('WEB-599')]))).toMatchObject({
      status: 429,
      code: 'rate_limited',
      extra: { limit: 'order_identities', retry_after_seconds: 1 },
    })
    // A request that does not ask about repeats waits for nothing.
    expect((await served.upload([boxes('WEB-600')], 'allow')).created).toHaveLength(1)
    await runTimedWork({ db, sources, settings: defaultSettings, scope, environment: 'sandbox' })
    expect(await backlog()).toBeUndefined()
    const again = await served.upload([boxes('WEB-0'), boxes('WEB-599')])
    expect(again.repeated?.map(({ row }) => row)).toEqual([1, 2])
    expect(await harness.findings()).toEqual([])
  })

  usual('are prepared in short steps, of which a request that arrives meanwhile waits for one', async () => {
    await shelve(harness, Array(600).fill({ sku: 'BOX' }))
    await upload(
      Array.from({ length: 600 }, (_, at) => boxes(`WEB-${at}`)),
      'allow',
    )
    await forgetIdentities()
    const { db, scope, sources } = harness
    let steps = 0
    let passed = 0
    const arrive = async () => {
      // The service reads a request in several turns of the event loop.
      for (let turn = 0; turn < 3; turn++) await setImmediate()
      const before = steps
      await db.write(async () => {}, { scope: scope.id })
      passed = steps - before
    }
    let arrived: Promise<void> | undefined
    const mayContinue = () => {
      steps += 1
      arrived ??= arrive()
      return true
    }
    let uptime = 0
    const slow = { ...sources, uptime: () => (uptime += 8) }
    await runTimedWork({
      ...{ db, sources: slow, settings: defaultSettings, scope, environment: 'sandbox' },
      mayContinue,
    })
    await arrived
    expect([steps, passed]).toEqual([7, 0])
  })
})
