import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { dayMs } from '../../src/contract/limits.ts'
import { createScheduler } from '../../src/service/jobs/scheduler.ts'
import { type Database, StoreError, sql } from '../../src/store/database.ts'
import { subscribeTo } from '../support/deliveries.ts'
import { databases, startHarness } from '../support/harness.ts'
import { submit } from '../support/manifests.ts'
import { manualTimers } from '../support/manual-timers.ts'
import { upkeep } from '../support/upkeep.ts'

/** A job that runs until it is told to end, or to fail. */
function startChore(everyMs: number) {
  const timers = manualTimers()
  const errors: unknown[] = []
  const runs: Array<{ end(): void; fail(error: unknown): void; mayContinue(): boolean }> = []
  const run = (mayContinue: () => boolean): Promise<void> =>
    new Promise((end, fail) => runs.push({ end, fail, mayContinue }))
  const scheduler = createScheduler([{ everyMs, run }], timers, (error) => errors.push(error))
  return { scheduler, timers, errors, runs }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a chore runs at the start, and again a fixed time after each run', async () => {
  const { scheduler, timers, runs } = startChore(5000)
  scheduler.start()
  await turn()
  expect([runs.length, timers.set()]).toEqual([1, []])
  runs[0]?.end()
  await turn()
  timers.ring(5000)
  expect([runs.length, timers.set()]).toEqual([2, []])
})

test('a failing chore is reported and retried', async () => {
  const { scheduler, timers, runs, errors } = startChore(5000)
  scheduler.start()
  runs[0]?.fail('no')
  await turn()
  timers.ring(5000)
  expect([errors, runs.length]).toEqual([['no'], 2])
})

test('a stop waits for the running chore, which is notified, and nothing starts after it', async () => {
  const { scheduler, timers, runs } = startChore(5000)
  scheduler.start()
  expect(runs[0]?.mayContinue()).toBe(true)
  let isStopped = false
  const stopping = scheduler.stop().then(() => {
    isStopped = true
  })
  await turn()
  expect([isStopped, runs[0]?.mayContinue()]).toEqual([false, false])
  runs[0]?.end()
  await stopping
  expect(timers.set()).toEqual([])
})

test('a stop cancels what is scheduled', async () => {
  const { scheduler, timers, runs } = startChore(5000)
  scheduler.start()
  runs[0]?.end()
  await turn()
  await scheduler.stop()
  expect(timers.set()).toEqual([])
})

test.each(databases)(
  "over $name one partner's fault is reported and does not affect others; a fault of the whole database ends the chore",
  async (database) => {
    const harness = await startHarness(database)
    const { client, stranger, db, scope, strangerScope } = harness
    // Old rows to delete.
    await client.testSubscription(await subscribeTo(harness))
    for (const of of [client, stranger])
      await submit(of, 'PO-7', ['X'], { expected_arrival_end: '2026-05-02' })
    harness.pass(31 * dayMs)
    await db.write((tx) => tx.run(sql`update scopes set claims = claims + 10000`))
    const failing = (error: Error): Database => ({
      ...db,
      write: (fn, how) => (how?.lane === scope.id ? Promise.reject(error) : db.write(fn, how)),
    })
    const full = new StoreError('full', 'The disk is full.')
    await expect(upkeep(harness, failing(full))).rejects.toBe(full)
    // In its timed work, and in its deletion of old rows.
    const told = [scope.partner_name, scope.partner_name]
    expect(await upkeep(harness, failing(new Error('a row of this partner')))).toEqual(told)
    const statusOf = async (of: Client) => (await of.listManifests({ query: {} })).data.results[0]?.status
    expect([await statusOf(client), await statusOf(stranger)]).toEqual(['submitted', 'reconciled'])
    const kept = sql`select 1 as one from idempotency where scope_id = ${strangerScope.id}`
    expect(await db.read((tx) => tx.all(kept))).toEqual([])
    await harness.close()
  },
)
