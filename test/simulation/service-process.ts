import type { Call, Reply } from '../../src/contract/call.ts'
import type { Environment } from '../../src/contract/enums.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import {
  createScheduler as createChores,
  createKeyUse,
  createLeader,
} from '../../src/service/jobs/scheduler.ts'
import { upkeepChores } from '../../src/service/jobs/upkeep.ts'
import { createService } from '../../src/service/service.ts'
import type { DeliveryWorkerOptions } from '../../src/service/webhooks/delivery-options.ts'
import { createDeliveryWorker } from '../../src/service/webhooks/delivery-worker.ts'
import { migrate } from '../../src/store/migrate.ts'
import { faultyDatabase } from './faulty-database.ts'
import { clockOf, closeConnections, uptime } from './machine.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { FaultRates } from './story.ts'
import { openStore } from './template.ts'

/** A service as a process runs it, without sockets: requests, deliveries, and timed jobs over its own connections. */
export type ServiceProcess = {
  process: Process
  /** Called from another process: the answer, or a rejection if it dies first. */
  call(call: Call): Promise<Reply>
  /** In the middle of any work. */
  crash(): void
  /** As after SIGTERM. */
  stop(): Promise<void>
}

type Given = {
  scheduler: Scheduler
  name: string
  /** The error of its clock at the start. */
  skewMs: number
  environment: Environment
  database: string
  rates: FaultRates
  attempt: NonNullable<DeliveryWorkerOptions['attempt']>
  /** Failures outside of any request. */
  onFault: (error: unknown) => void
}

export async function startService(given: Given): Promise<ServiceProcess> {
  const { scheduler, name, skewMs } = given
  const process = Object.assign(scheduler.start(name), { skewMs })
  const calls = new Set<() => void>()
  const die = (): void => {
    scheduler.kill(process)
    closeConnections(process)
  }
  const made = await inProcess(scheduler, process, () => composed(given, process)).catch((error: unknown) => {
    die()
    throw error
  })
  return {
    process,
    call: (call) =>
      new Promise((resolve, reject) => {
        const caller = scheduler.current()
        const gone = new AbortController()
        // A cancelled wait reports it in its own turn; here it arrives in a turn of this process.
        const leave = (): void => void scheduler.after(0, () => gone.abort(), process)
        const back = (settle: () => void): void => {
          calls.delete(cut)
          // A signal made of others lives as long as anybody listens to it.
          call.signal?.removeEventListener('abort', leave)
          scheduler.after(0, settle, caller)
        }
        const cut = (): void => back(() => reject(new Error('cut off')))
        calls.add(cut)
        call.signal?.addEventListener('abort', leave)
        const begin = (): void =>
          void made.service.handle({ ...call, signal: gone.signal }).then(
            (reply) => back(() => resolve(reply)),
            (error: unknown) => back(() => reject(error)),
          )
        scheduler.after(0, begin, process)
      }),
    crash() {
      die()
      for (const cut of [...calls]) cut()
    },
    async stop() {
      await inProcess(scheduler, process, async () => {
        await Promise.all([made.worker.stop(), made.chores.stop()])
        await made.letGo()
      })
      die()
      for (const cut of [...calls]) cut()
    },
  }
}

/** Runs a task as a process, and returns its result to the caller. */
function inProcess<T>(scheduler: Scheduler, process: Process, task: () => Promise<T>): Promise<T> {
  const caller = scheduler.current()
  return new Promise((resolve, reject) => {
    const begin = (): void =>
      void task().then(
        (value) => scheduler.after(0, () => resolve(value), caller),
        (error: unknown) => scheduler.after(0, () => reject(error), caller),
      )
    scheduler.after(0, begin, process)
  })
}

async function composed(
  { scheduler, environment, database, rates, attempt, onFault }: Given,
  process: Process,
) {
  const db = faultyDatabase(await openStore(database), scheduler, process, rates)
  await migrate(db)
  const sources = { clock: () => clockOf(process), uptime, random: process.random.bytes }
  const place = { db, environment, sources, settings: defaultSettings } as const
  const idempotencyMs = 7 * 86_400_000
  const service = createService({ ...place, idempotencyMs })
  const { signal } = service
  const worker = createDeliveryWorker({ ...place, signal, attempt, pollMs: 2000, onError: onFault })
  const leader = createLeader(db, sources.clock)
  const keyUse = createKeyUse(db, sources.clock)
  const chores = createChores(
    upkeepChores({ ...place, idempotencyMs, wake: signal.notify, keyUse, leader, warn: () => {}, onFault }),
    runtime,
    onFault,
  )
  worker.start()
  chores.start()
  return { service, worker, chores, letGo: () => keyUse.flush().finally(() => leader.resign()) }
}
