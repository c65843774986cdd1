import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { createService } from '../../src/service/service.ts'
import { createDeliveryWorker, type DeliveryWorker } from '../../src/service/webhooks/delivery-worker.ts'
import { type Database, sql, type Tx } from '../../src/store/database.ts'
import { openPlace } from '../support/fleet-place.ts'
import type { Place } from '../support/fleet-protocol.ts'
import { clientWith } from '../support/harness.ts'
import { eventually } from '../support/load.ts'
import { type ManualTimers, manualTimers } from '../support/manual-timers.ts'
import { type SharedDatabase, sharedDatabases } from '../support/shared-database.ts'
import { loopbackGuard, type Receiver, startReceiver } from '../support/webhook-receiver.ts'

const never = 3_600_000

/** What each process has: connections, a service, and a worker whose alarms a test rings. */
type Process = { client: Client; worker: DeliveryWorker; timers: ManualTimers }

describe.each(sharedDatabases)('two processes over one $name', ({ name, make }) => {
  let shared: SharedDatabase
  let key: string
  let receiver: Receiver
  let opened: Database[]
  let workers: DeliveryWorker[]
  beforeEach(async () => {
    ;[opened, workers] = [[], []]
    shared = await make()
    receiver = await startReceiver()
    key = (await shared.partner('Two processes')).key
  })
  afterEach(async () => {
    for (const worker of workers) await worker.stop(0)
    for (const db of opened) await db.close()
    await receiver.close()
    await shared.close()
  })

  const start = async (how: { eventPollMs?: number; isDeaf?: boolean } = {}): Promise<Process> => {
    const own = await openPlace(named(shared.place))
    opened.push(own)
    // A deaf process misses every notification.
    const { relay: _, ...deaf } = own
    const db = how.isDeaf ? deaf : own
    const common = { db, environment: 'sandbox', sources: runtime, settings: defaultSettings } as const
    const service = createService({ ...common, eventPollMs: how.eventPollMs ?? never })
    const timers = manualTimers()
    const { signal } = service
    const worker = createDeliveryWorker({ ...common, signal, guard: loopbackGuard(), timers })
    workers.push(worker)
    return { client: clientWith(service, key, runtime), worker, timers }
  }
  const wait = { headers: { prefer: 'wait=30' } }
  const subscribe = (client: Client) =>
    client.createSubscription({ body: { url: receiver.url(), event_types: ['item.intake.completed'] } })
  const arrive = (client: Client) =>
    client.createIntakes({
      body: {
        items: [{ type: 'graded_slab', name: 'Mew', grader: 'PSA', grade: '9', cert_number: '11112222' }],
      },
    })

  // SQLite cannot notify other processes, so they find everything by polling.
  const testRelay = name === 'PostgreSQL' ? test : () => {}
  testRelay('a reader that waits, and webhooks, are woken by the other', async () => {
    const [one, other] = [await start(), await start()]
    await subscribe(other.client)
    one.worker.start()
    await one.worker.idle()
    const waiting = one.client.listEvents(wait)
    await eventually('it listens', () => shared.db.read(isListening), 10_000)
    await arrive(other.client)
    expect((await waiting).data.results).toHaveLength(1)
    await receiver.arrived(1)
  })

  test('both find by polling what a lost notification would have announced', async () => {
    const [one, other] = [await start({ isDeaf: true, eventPollMs: 5 }), await start()]
    await subscribe(other.client)
    one.worker.start()
    await one.worker.idle()
    const waiting = one.client.listEvents(wait)
    await arrive(other.client)
    expect((await waiting).data.results).toHaveLength(1)
    expect(receiver.received).toHaveLength(0)
    one.timers.ring(1000)
    await receiver.arrived(1)
  })
})

/** Other tests listen on the same server. */
const connectionName = `waiting-${process.pid}`

function named(place: Place): Place {
  if ('file' in place) return place
  const url = new URL(place.url)
  url.searchParams.set('application_name', connectionName)
  return { ...place, url: url.href }
}

async function isListening(tx: Tx): Promise<boolean> {
  const found = await tx.get(sql`
    select pid from pg_stat_activity
    where application_name = ${connectionName} and query = 'listen custody_events' and state = 'idle'`)
  return found !== undefined
}
