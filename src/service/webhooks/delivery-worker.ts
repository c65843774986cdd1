import type { Environment } from '../../contract/enums.ts'
import type { ClockAndRandom, Settings } from '../../engine/context.ts'
import type { Database } from '../../store/database.ts'
import type { EventSignal } from '../jobs/event-signal.ts'
import { realTimers, type Timers } from '../jobs/timers.ts'
import { createAttemptRecorder } from './attempt-recorder.ts'
import { createConcurrencyLimiter, type DeliveryLimits, defaultLimits } from './concurrency-limiter.ts'
import { type ConnectionGuard, createConnectionGuard } from './connection-guard.ts'
import { createConnections } from './connections.ts'
import { type AttemptVerdict, putBack } from './delivery-batches.ts'
import { type DeliveryLoop, endBatches, idle, poll } from './delivery-loop.ts'

export type DeliveryWorkerOptions = {
  db: Database
  /** A process delivers for the environment that it serves. */
  environment: Environment
  sources: ClockAndRandom
  settings: Settings
  /** The service's: what is committed in this process is delivered at once. */
  signal: EventSignal
  limits?: Partial<DeliveryLimits>
  /** How often it looks by itself, in milliseconds (default 1,000): other processes write to the same database. */
  pollMs?: number
  timers?: Timers
  /** For tests alone: lets a loopback receiver through. Nothing but an argument leads here. */
  guard?: ConnectionGuard
  /** Told of every attempt; never sees a secret, an address or a payload. */
  log?: (entry: DeliveryLog) => void
  /** Told when the database cannot be read or written: it is tried again by itself. */
  onError?: (error: unknown) => void
}

export type DeliveryLog = {
  partner: string
  subscription_id: string
  delivery_id: string
  attempt: number
  verdict: AttemptVerdict
  response_code: number | null
  duration_ms: number
}

export type DeliveryWorker = {
  start(): void
  /** Resolves when nothing runs any more: what was due has been attempted. */
  idle(): Promise<void>
  /** Takes nothing more, gives what runs `graceMs` (default 3,000) to end, and puts back what has not. */
  stop(graceMs?: number): Promise<void>
}

const pollMsDefault = 1000
const graceMsDefault = 3000

/**
 * Delivers events to webhook subscriptions (decisions 9): at least once, in no order. Any number of workers may share a
 * database: each stretch of the log, and each delivery with a row, is leased by one at a time, and a worker that is killed
 * loses its leases after a minute.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { timers = realTimers, signal } = options
  const loop = createLoop(options)
  let unsubscribe = (): void => {}
  return {
    start() {
      unsubscribe = signal.subscribe((scopeId) => poll(loop, scopeId))
      poll(loop, undefined)
    },
    idle: () => idle(loop),
    async stop(graceMs = graceMsDefault) {
      unsubscribe()
      loop.stopped = true
      for (const callOff of loop.alarms.values()) callOff()
      endBatches(loop)
      let callOff = (): void => {}
      const graceIsOver = new Promise<void>((resolve) => {
        callOff = timers.after(graceMs, resolve)
      })
      await Promise.race([idle(loop), graceIsOver])
      callOff()
      for (const abort of loop.running) abort.abort(putBack)
      await idle(loop)
      loop.connections.destroy()
    },
  }
}

function createLoop(options: DeliveryWorkerOptions): DeliveryLoop {
  const owner = Buffer.from(options.sources.random(16)).toString('hex')
  return {
    ...options,
    owner,
    timers: options.timers ?? realTimers,
    connections: createConnections(options.guard ?? createConnectionGuard()),
    pollMs: options.pollMs ?? pollMsDefault,
    limiter: createConcurrencyLimiter({ ...defaultLimits, ...options.limits }),
    recorder: createAttemptRecorder(options),
    batches: new Set(),
    tasks: new Set(),
    running: new Set(),
    alarms: new Map(),
    due: new Set(),
    polling: false,
    stopped: false,
  }
}
