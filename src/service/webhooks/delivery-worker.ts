import type { Agent } from 'node:http'
import { runtime } from '../../runtime/runtime.ts'
import { inTime } from '../../runtime/waiting.ts'
import { makeAttempt } from './attempt.ts'
import { createAttemptRecorder } from './attempt-recorder.ts'
import { createConcurrencyLimiter, defaultLimits } from './concurrency-limiter.ts'
import { createConnectionGuard } from './connection-guard.ts'
import { createConnections } from './connections.ts'
import { putBack } from './delivery-batches.ts'
import { type DeliveryLoop, endBatches, idle, poll } from './delivery-loop.ts'
import type { DeliveryWorkerOptions } from './delivery-options.ts'

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
  const { timers = runtime, signal } = options
  const connections = createConnections(options.guard ?? createConnectionGuard())
  const loop = createLoop(options, connections)
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
      await inTime(idle(loop), graceMs, timers).catch(() => {})
      for (const abort of loop.running) abort.abort(putBack)
      await idle(loop)
      connections.destroy()
    },
  }
}

function createLoop(options: DeliveryWorkerOptions, connections: Agent): DeliveryLoop {
  const clock = (): number => options.sources.clock()
  const owner = Buffer.from(options.sources.random(16)).toString('hex')
  return {
    ...options,
    owner,
    timers: options.timers ?? runtime,
    attempt: options.attempt ?? ((attempt, abort) => makeAttempt(attempt, connections, clock, abort)),
    pollMs: options.pollMs ?? pollMsDefault,
    limiter: createConcurrencyLimiter({ ...defaultLimits, ...options.limits }),
    recorder: createAttemptRecorder(options),
    batches: new Set(),
    left: new Map(),
    underWay: new Set(),
    tasks: new Set(),
    running: new Set(),
    alarms: new Map(),
    due: new Set(),
    polling: new Set(),
    waiting: new Set(),
    stopped: false,
  }
}
