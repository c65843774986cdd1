import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webhookTarget } from '../src/domain/webhooks/webhook-address.ts'
import type { UnitOfWork } from '../src/engine/context.ts'
import { ensureScope } from '../src/engine/partners.ts'
import { defaultSettings } from '../src/engine/settings.ts'
import { openWork } from '../src/engine/unit-of-work.ts'
import { createSubscription } from '../src/engine/webhooks/subscriptions.ts'
import { realSources } from '../src/service/embedded.ts'
import { createEventSignal } from '../src/service/jobs/event-signal.ts'
import { createDeliveryWorker } from '../src/service/webhooks/delivery-worker.ts'
import { post } from '../src/service/webhooks/post.ts'
import { migrate } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { loopbackGuard, startReceiver } from '../test/support/webhook-receiver.ts'
import { median, note, report } from './support/measure.ts'

/**
 * Event committed -> webhook received, over TLS on loopback with a connection of its own each, durable SQLite file. The
 * limit is a median of 50 ms. Beside it, in the same run: a bare post over such a connection, and a backlog's rate.
 */
const limitMs = 50
const events = 300
const backlog = 3000

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const db = openSqlite(join(folder, 'custody.db'))
const receiver = await startReceiver()
const guard = loopbackGuard()
const signal = createEventSignal()
const worker = createDeliveryWorker({
  db,
  environment: 'sandbox',
  sources: realSources,
  settings: defaultSettings,
  signal,
  guard,
})
try {
  await migrate(db)
  const scope = await db.write((tx) => ensureScope(tx, realSources, 'Bench', 'sandbox'))
  const inWork = <T>(fn: (work: UnitOfWork) => Promise<T>): Promise<T> =>
    db.write(async (tx) => {
      const work = await openWork(tx, scope, realSources, defaultSettings)
      const result = await fn(work)
      await work.finish()
      return result
    })
  const emit = async (count: number): Promise<void> => {
    await inWork(async (work) => {
      for (let n = 0; n < count; n++) work.emit('transfer.requested', JSON.stringify({ n }))
    })
    signal.notify(scope.id)
  }
  await inWork((work) =>
    createSubscription(work, {
      body: { url: receiver.url(), event_types: ['transfer.requested'], active: true },
    }),
  )
  worker.start()
  await worker.idle()

  const bare = await measure(async () => {
    const abort = new AbortController().signal
    const socket = await guard(webhookTarget(receiver.url()), abort)
    await post(socket, { host: 'receiver.test', path: '/', headers: {}, body: '{}' }, abort)
    return undefined
  })
  const took = await measure(async (n) => {
    await inWork(async (work) => work.emit('transfer.requested', JSON.stringify({ n })))
    const committed = performance.now()
    signal.notify(scope.id)
    await receiver.arrived(receiver.received.length + 1)
    return committed
  })
  await worker.idle()
  note('bare post over a new connection', `median ${median(bare).toFixed(1)} ms`)
  const started = performance.now()
  await emit(backlog)
  await worker.idle()
  const rate = backlog / ((performance.now() - started) / 1000)
  note(`a backlog of ${backlog} to one receiver`, `${Math.round(rate)} a second`)
  const measured = `median ${median(took).toFixed(1)} ms, slowest ${Math.max(...took).toFixed(1)} ms`
  report('committed -> webhook received', measured, median(took), limitMs, ' ms')
} finally {
  await worker.stop()
  await receiver.close()
  await db.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Milliseconds of each turn, from its beginning or from the moment it answers. */
async function measure(turn: (n: number) => Promise<number | undefined>): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < events; n++) {
    const started = performance.now()
    const from = (await turn(n)) ?? started
    took.push(performance.now() - from)
  }
  return took
}
