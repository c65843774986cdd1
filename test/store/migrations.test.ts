import { expect, test } from 'vitest'
import { itemStatuses } from '../../src/contract/enums.ts'
import { createLeader } from '../../src/service/jobs/scheduler.ts'
import { raw, sql } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { isWell } from '../../src/store/maintenance/health.ts'
import { migrate } from '../../src/store/migrate.ts'
import { schemaVersion } from '../../src/store/schema-version.ts'
import { box } from '../support/box.ts'
import { emitEvents, queueRow } from '../support/deliveries.ts'
import { startDelivering } from '../support/delivering.ts'
import { editableDatabases, startHarness } from '../support/harness.ts'
import { arrive, manifestOf, submit } from '../support/manifests.ts'
import { outcomeOf } from '../support/outcome.ts'
import { phrasesUndone } from '../support/phrases-undone.ts'
import { undoRules } from '../support/rules-undone.ts'
import { versionsAfter } from '../support/schema-versions.ts'
import { storeItems } from '../support/stored-items.ts'
import { undoneRanges } from '../support/undone-ranges.ts'

/** The tables of migrations 3 to 9. */
const undone3 = [
  ...phrasesUndone(),
  ...undoneRanges,
  sql`alter table scopes rename column claims to version`,
  sql`alter table scopes drop column schema_version`,
  sql`delete from schema_version where version >= 3`,
]

test.each(editableDatabases)('migration 3 counts existing items, over $name', async (database) => {
  const harness = await startHarness(database)
  const times = ['2026-01-09T23:59:59.999Z', '2026-01-10T00:00:00.000Z', '2026-01-31T12:00:00.000Z']
  const items = itemStatuses.flatMap((status) => times.map((intake_at) => ({ status, intake_at })))
  await storeItems(harness, items)
  await storeItems(harness, items.slice(5), harness.strangerScope)
  const counts = sql`delete from counts where kind in ('items_by_intake', 'items_by_update')`
  await harness.db.write((tx) => tx.run(counts))
  expect(await checkDatabase(harness.db)).not.toEqual([])
  await harness.db.write(async (tx) => {
    await undoRules(tx)
    for (const statement of undone3) await tx.run(statement)
  })
  expect(await migrate(harness.db)).toEqual(versionsAfter(2))
  expect(await checkDatabase(harness.db)).toEqual([])
  await harness.close()
})

test.each(editableDatabases)(
  'migration 5 creates waiting deliveries once, and later writes continue, over $name',
  async (database) => {
    const delivering = await startDelivering(database)
    const { harness, receiver } = delivering
    await delivering.worker.stop(0)
    const before = await emitEvents(harness, 2)
    const of = await delivering.subscribe()
    const body = { url: receiver.url('off'), event_types: ['transfer.requested' as const], active: false }
    await harness.client.createSubscription({ body })
    const id = await queueRow(harness)
    await harness.db.write(async (tx) => {
      await undoRules(tx)
      for (const statement of [...phrasesUndone(), ...undoneRanges]) await tx.run(statement)
    })
    expect(await migrate(harness.db)).toEqual(versionsAfter(4))
    expect(await checkDatabase(harness.db)).toEqual([])
    const [after] = await emitEvents(harness)
    const worker = delivering.makeWorker()
    worker.start()
    await worker.idle()
    const got = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(got.sort()).toEqual([before[0]?.id, after?.id].sort())
    const made = await delivering.deliveries(of)
    expect(made).toMatchObject([
      { id, status: 'delivered' },
      { event_id: after?.id, status: 'delivered' },
    ])
    await worker.stop(0)
    await delivering.close()
  },
)

test.each(editableDatabases)(
  "an older running process cannot write into a newer custody's schema, is not well, and leaves work to others, over $name",
  async (database) => {
    const harness = await startHarness(database)
    const add = (sku: string) => harness.client.createProduct({ body: box(sku) })
    expect((await add('BEFORE')).status).toBe(201)
    const worked: string[] = []
    const leader = createLeader(harness.db, harness.sources.clock)
    const work = (when: string) => leader.only('work', 30_000, async () => void worked.push(when))
    await work('before')
    expect(await isWell(harness.db)).toBe(true)
    await harness.db.write((tx) => tx.run(sql`update scopes set schema_version = 999`))
    expect(await isWell(harness.db)).toBe(false)
    await work('after')
    expect(worked).toEqual(['before'])
    const { status, headers } = await outcomeOf(add('AFTER'))
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect((await harness.client.listProducts({})).data.results.map(({ sku }) => sku)).toEqual(['BEFORE'])
    // A process from before migration 3 cannot claim a scope at all.
    const claim = sql`update scopes set version = version + 1 where id = ${harness.scope.id}`
    await expect(harness.db.write((tx) => tx.run(claim))).rejects.toThrow(/version/)
    await harness.close()
  },
)

test.each(editableDatabases)(
  'phrases from before migration 6 lead to the same lines, over $name',
  async (database) => {
    const harness = await startHarness(database)
    const long = Array.from({ length: 30 }, (_, n) => `word${n}`).join(' ')
    const described = ['Charizard Base Set Holo', 'Pikachu Jungle 60', long]
    const manifest = await submit(harness.client, 'A', [...described, 'Charizard Base Set Holo'])
    await submit(harness.client, 'B', [...described, 'Mew Fossil'])
    await harness.db.write(async (tx) => {
      await undoRules(tx)
      for (const statement of phrasesUndone()) await tx.run(statement)
    })
    expect(await migrate(harness.db)).toEqual(versionsAfter(5))
    expect(await checkDatabase(harness.db)).toEqual([])
    const names = ['holo CHARIZARD base', 'Pikachu Jungle', `${long} more`, 'Fossil Mew rare']
    const intakes = await arrive(
      harness.client,
      names.map((name, at) => ({
        type: 'graded_slab',
        name,
        grader: 'PSA',
        grade: '9',
        cert_number: String(at),
      })),
    )
    const { lines } = await manifestOf(harness.client, manifest.id)
    expect(
      intakes.map(({ manifest_line_id }) => lines.findIndex(({ id }) => id === manifest_line_id)),
    ).toEqual([0, 1, 2, -1])
    expect(intakes[3]?.manifest_line_id).not.toBeNull()
    expect(await checkDatabase(harness.db)).toEqual([])
    await harness.close()
  },
)

test('a file identifies itself and its schema', async () => {
  const harness = await startHarness(editableDatabases[0]!)
  const head = (name: string) => harness.db.read((tx) => tx.get(sql`pragma ${raw(name)}`))
  expect(await head('user_version')).toEqual({ user_version: schemaVersion })
  expect(await head('application_id')).toEqual({ application_id: 0x63757374 })
  await harness.close()
})
