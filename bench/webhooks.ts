import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../src/contract/enums.ts'
import { webhookTarget } from '../src/domain/webhooks/webhook-address.ts'
import { defaultSettings } from '../src/engine/context.ts'
import { ensureScope } from '../src/engine/partners.ts'
import { inUnitOfWork } from '../src/engine/unit-of-work.ts'
import { createSubscription } from '../src/engine/webhooks/subscriptions.ts'
import { runtime } from '../src/runtime/runtime.ts'
import { createEventSignal } from '../src/service/jobs/event-signal.ts'
import { createConnections } from '../src/service/webhooks/connections.ts'
import { createDeliveryWorker, post } from '../src/service/webhooks/delivery-worker.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import type { Scope } from '../src/store/tables/scopes.ts'
import { loopbackGuard, startReceiver } from '../test/support/webhook-receiver.ts'
import { median, note, report, takeTurns } from './support/measure.ts'

/**
 * What subscriptions cost a write, and how fast events are delivered: over TLS on loopback, sender and receiver in one
 * process, a durable SQLite file. Compared in the same run with bare posts over a kept connection, eight at once.
 */
const costLimit = 1.1
const rateLimit = 1000
const latencyLimitMs = 10
const events = 300
const backlog = 5000
const written = 1000
const subscribers = 100

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const db = openSqlite(join(folder, 'custody.db'))
const receiver = await startReceiver()
const slow = await startReceiver()
slow.answer((response) => void setTimeout(() => response.writeHead(204).end(), 3000))
const guard = loopbackGuard()
const signal = createEventSignal()
const place = { db, sources: runtime, settings: defaultSettings }
const worker = createDeliveryWorker({ ...place, environment: 'sandbox', signal, guard })
try {
  await migrate(db)
  // The worker serves the other environment, so nobody delivers these.
  const [none, many] = [await scopeOf('None', 'production'), await scopeOf('Many', 'production')]
  for (let n = 0; n < subscribers; n++) await subscribe(many, 'https://hooks.northgate.example/in')
  const writes = [none, many].map((scope) => () => emit(scope, written))
  const [alone = 0, subscribed = 0] = await takeTurns(writes, 60)
  const cost = `${(subscribed / alone).toFixed(2)}x (${alone.toFixed(1)} ms without)`
  report(`${written} events, ${subscribers} subscriptions`, cost, subscribed / alone, costLimit, 'x')

  const scope = await scopeOf('Bench', 'sandbox')
  await subscribe(scope, receiver.url())
  worker.start()
  await worker.idle()
  note('bare posts, kept connections', `${await postsASecond()} a second`)
  await reportRate(scope)
  await reportLatency('committed -> webhook received', scope)
  for (let n = 0; n < 10; n++) await subscribe(scope, slow.url(`slow${n}`))
  await emit(scope, 20)
  await reportLatency('the same beside 10 slow receivers', scope)
  await worker.stop(0)
} finally {
  await receiver.close()
  await slow.close()
  await db.close()
  rmSync(folder, { recursive: true, force: true })
}

function scopeOf(partner: string, environment: Environment): Promise<Scope> {
  return db.write((tx) => ensureScope(tx, runtime, partner, environment))
}

function subscribe(scope: Scope, url: string): Promise<void> {
  const body = { url, event_types: ['transfer.requested' as const], active: true }
  return inUnitOfWork(place, scope, async (work) => void (await createSubscription(work, { body })))
}

async function emit(scope: Scope, count: number): Promise<void> {
  await inUnitOfWork(place, scope, async (work) => {
    for (let n = 0; n < count; n++) work.emit('transfer.requested', JSON.stringify({ n }))
  })
  signal.notify(scope.id)
}

/** As many as one subscription gets at once. */
async function postsASecond(): Promise<number> {
  const connections = createConnections(guard)
  const posting = { target: webhookTarget(receiver.url()), headers: {}, body: '{}' }
  const started = performance.now()
  const line = async (): Promise<void> => {
    for (let n = 0; n < backlog / 8; n++) await post(connections, posting, new AbortController().signal)
  }
  await Promise.all(Array.from({ length: 8 }, line))
  connections.destroy()
  return Math.round(backlog / ((performance.now() - started) / 1000))
}

/** In CPU time of sender and receiver together, so that other load matters little. */
async function reportRate(scope: Scope): Promise<void> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  await emit(scope, backlog)
  await worker.idle()
  const { user, system } = process.cpuUsage(before)
  const each = (user + system) / 1000 / backlog
  const rate = Math.round(backlog / ((performance.now() - started) / 1000))
  const measured = `${rate} a second, ${each.toFixed(2)} ms of CPU each`
  report('a backlog to one receiver', measured, each, 1000 / rateLimit, ' ms')
}

async function reportLatency(name: string, scope: Scope): Promise<void> {
  const took: number[] = []
  for (let n = 0; n < events; n++) {
    const arrived = receiver.arrived(receiver.received.length + 1)
    await emit(scope, 1)
    const committed = performance.now()
    await arrived
    took.push(performance.now() - committed)
  }
  const measured = `median ${median(took).toFixed(1)} ms, slowest ${Math.max(...took).toFixed(1)} ms`
  report(name, measured, median(took), latencyLimitMs, ' ms')
}
