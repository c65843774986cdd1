import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openPostgres, type PgDatabase } from '../../src/store/postgres/pg.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'

describe('notifications between processes over one PostgreSQL', () => {
  let one: PgDatabase
  let two: PgDatabase
  // Other tests share the server and must not be disturbed.
  const name = `relay-${process.pid}`
  beforeEach(async () => {
    const url = new URL(inject('postgresUrl'))
    one = await openPostgres(url.href, { poolSize: 2 })
    url.searchParams.set('application_name', name)
    two = await openPostgres(url.href, { poolSize: 2 })
  })
  afterEach(() => Promise.all([one.close(), two.close()]))

  test('wake the other process, once in a burst for each scope, and not the sender', async () => {
    const base = scopes()
    const heard = listenTo(two, base)
    const own = listenTo(one, base)
    await heard.until(base, () => one.relay?.announce(base))
    for (let i = 0; i < 50; i++) one.relay?.announce(base + 1 + (i % 2))
    await heard.until(base + 1)
    await heard.until(base + 2)
    expect(heard.times(base + 1)).toBeLessThan(5)
    expect(own.all()).toEqual([])
  })

  test('arrive again after a listener lost its connection', async () => {
    const base = scopes()
    const heard = listenTo(two, base)
    await heard.until(base, () => one.relay?.announce(base))
    const ended = await one.pool.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where query = 'listen custody_events'
         and application_name = $1`,
      [name],
    )
    expect(ended.rowCount).toBe(1)
    await heard.until(base + 3, () => one.relay?.announce(base + 3))
  })

  test('are sent before closing', async () => {
    const base = scopes()
    const heard = listenTo(two, base)
    await heard.until(base, () => one.relay?.announce(base))
    const third = await openPostgres(inject('postgresUrl'), { poolSize: 1 })
    third.relay?.announce(base + 4)
    await third.close()
    await heard.until(base + 4)
  })

  test('do not keep a process from ending after its network failed silently', async () => {
    const base = scopes()
    const proxy = await startCuttingProxy(inject('postgresUrl'))
    const third = await openPostgres(proxy.url, { poolSize: 1 })
    await listenTo(third, base).until(base, () => one.relay?.announce(base))
    await third.pool.query('select 1')
    proxy.fallSilent()
    await third.close()
    await proxy.close()
  })
})

/** Numbers that no other test of the run uses. */
function scopes(): number {
  return Math.floor(Math.random() * 2 ** 40) + 2 ** 32
}

function listenTo(db: PgDatabase, base: number) {
  const heard: number[] = []
  let look = (): void => {}
  db.relay?.listen((scopeId) => {
    if (scopeId < base || scopeId > base + 9) return
    heard.push(scopeId)
    look()
  })
  return {
    all: () => heard,
    times: (scopeId: number) => heard.filter((one) => one === scopeId).length,
    /** Waits until the notification arrives, and sends it again until then. */
    async until(scopeId: number, again: () => void = () => {}): Promise<void> {
      while (!heard.includes(scopeId)) {
        again()
        await new Promise<void>((resolve) => {
          look = resolve
          setTimeout(resolve, 50)
        })
      }
    },
  }
}
