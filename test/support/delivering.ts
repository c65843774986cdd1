import type { Client } from '../../src/client/client.ts'
import type { Delivery } from '../../src/contract/resources/event.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import type { DeliveryLog, DeliveryWorkerOptions } from '../../src/service/webhooks/delivery-options.ts'
import { createDeliveryWorker, type DeliveryWorker } from '../../src/service/webhooks/delivery-worker.ts'
import { type Subscribed, type SubscribeOptions, subscribeTo } from './deliveries.ts'
import { type databases, type Harness, type HarnessOptions, startHarness } from './harness.ts'
import { type ManualTimers, manualTimers } from './manual-timers.ts'
import { loopbackGuard, type Receiver, startReceiver } from './webhook-receiver.ts'

/** A service, a delivery worker whose alarms a test rings, and a receiver that it reaches. */
export type Delivering = {
  harness: Harness
  receiver: Receiver
  worker: DeliveryWorker
  timers: ManualTimers
  log: DeliveryLog[]
  errors: unknown[]
  /** Another worker over the same database. */
  makeWorker(options?: Partial<DeliveryWorkerOptions>): DeliveryWorker
  subscribe(options?: SubscribeOptions): Promise<Subscribed>
  /** The subscription's deliveries, oldest first. */
  deliveries(of: Subscribed): Promise<Delivery[]>
  /** Advances the time and lets the worker run until it has nothing to do. */
  later(ms: number): Promise<void>
  close(): Promise<void>
}

export async function startDelivering(
  database: (typeof databases)[number],
  options: { harness?: HarnessOptions; worker?: Partial<DeliveryWorkerOptions> } = {},
): Promise<Delivering> {
  const harness = await startHarness(database, options.harness)
  const receiver = await startReceiver()
  const timers = manualTimers()
  const log: DeliveryLog[] = []
  const errors: unknown[] = []
  const makeWorker = (more: Partial<DeliveryWorkerOptions> = {}): DeliveryWorker =>
    createDeliveryWorker({
      db: harness.db,
      environment: harness.scope.environment,
      sources: harness.sources,
      settings: defaultSettings,
      signal: harness.service.signal,
      guard: loopbackGuard(),
      timers,
      log: (entry) => log.push(entry),
      onError: (error) => errors.push(error),
      ...more,
    })
  const worker = makeWorker(options.worker)
  worker.start()
  await worker.idle()
  return {
    harness,
    receiver,
    worker,
    timers,
    log,
    errors,
    makeWorker,
    subscribe: (options) => subscribeTo(harness, { url: receiver.url(), ...options }),
    async deliveries({ params }) {
      const { data } = await harness.client.listDeliveries({ params, query: { page_size: 250 } })
      return data.results.reverse()
    },
    async later(ms) {
      harness.pass(ms)
      harness.service.signal.notify(harness.scope.id)
      await worker.idle()
    },
    async close() {
      await worker.stop(0)
      await receiver.close()
      // If harnesses share a database, the next one's worker would find this one's remains.
      for (const client of [harness.client, harness.stranger]) await dropSubscriptions(client)
      await harness.close()
    },
  }
}

async function dropSubscriptions(client: Client): Promise<void> {
  const { data } = await client.listSubscriptions({ query: { page_size: 250 } })
  for (const { id } of data.results) await client.deleteSubscription({ params: { subscription_id: id } })
}
