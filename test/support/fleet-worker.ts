// One of several service processes over one database, driven through messages (fleet.ts).
import { randomBytes } from 'node:crypto'
import type { CallBody } from '../../src/contract/call.ts'
import { type ClockAndRandom, defaultSettings } from '../../src/engine/context.ts'
import { openWork, readContext } from '../../src/engine/unit-of-work.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { createDeliveryWorker } from '../../src/service/webhooks/delivery-worker.ts'
import { type Database, StoreError } from '../../src/store/database.ts'
import { openPlace } from './fleet-place.ts'
import type { Order, Start, WritersOrder } from './fleet-protocol.ts'
import { chanceOf } from './soak.ts'
import { loopbackGuard } from './webhook-receiver.ts'

process.once('message', (start) => void run(start as Start))

async function run(start: Start): Promise<void> {
  const db = await openPlace(start.place)
  const sources: ClockAndRandom = {
    clock: clockOf(start),
    uptime: () => performance.now(),
    random: (bytes) => randomBytes(bytes),
  }
  const service = createService({ db, environment: 'sandbox', sources, settings: defaultSettings })
  const worker = createDeliveryWorker({
    db,
    environment: 'sandbox',
    sources,
    settings: defaultSettings,
    signal: service.signal,
    guard: loopbackGuard(),
  })
  if (start.delivers) worker.start()
  process.on('message', (order) => void obey(order as Order, service, db, sources))
  // The test that started this process is gone.
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

/** Runs faster than real time, equally in all processes, so that leases expire soon. */
function clockOf({ speed, epoch }: Start): () => number {
  return () => epoch + (Date.now() - epoch) * speed
}

async function obey(order: Order, service: Service, db: Database, sources: ClockAndRandom): Promise<void> {
  const { id } = order
  try {
    const result =
      order.kind === 'call'
        ? await service.handle({ ...order.call, body: async (): Promise<CallBody> => order.body })
        : await writeMany(order, service, db, sources)
    process.send?.({ id, result })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
}

/**
 * One writer: transactions of a few events each, some held open for a while, some rolled back. Returns how many were
 * committed.
 */
async function writeMany(
  order: WritersOrder,
  { signal }: Service,
  db: Database,
  sources: ClockAndRandom,
): Promise<number> {
  const chance = chanceOf(order.seed)
  let committed = 0
  for (let i = 0; i < order.works; i++) {
    const events = 1 + Math.floor(chance() * order.eventsMost)
    if (await writeSome(order, events, chance, db, sources)) {
      committed += events
      signal.notify(order.scope.id)
    }
    await pause(order.delayMsMost, chance)
  }
  return committed
}

/** False if nothing was committed: rolled back, or the database was busy for too long. */
async function writeSome(
  { scope, rollbackShare, delayMsMost }: WritersOrder,
  events: number,
  chance: () => number,
  db: Database,
  sources: ClockAndRandom,
): Promise<boolean> {
  const isRolledBack = chance() < rollbackShare
  try {
    await db.write(
      async (tx) => {
        const work = await openWork(readContext(tx, scope, { sources, settings: defaultSettings }))
        for (let n = 0; n < events; n++) work.emit('item.status.changed', JSON.stringify({ n }))
        await pause(delayMsMost, chance)
        await work.finish()
        if (isRolledBack) throw new RolledBack()
      },
      { lane: scope.id },
    )
    return true
  } catch (error) {
    const isBusy = error instanceof StoreError && error.fault === 'busy'
    if (!isBusy && !(error instanceof RolledBack)) throw error
    return false
  }
}

class RolledBack extends Error {}

/** Up to this many milliseconds, mostly none. */
async function pause(most: number, chance: () => number): Promise<void> {
  if (chance() < 0.8) return
  await new Promise((resolve) => setTimeout(resolve, chance() * most))
}
