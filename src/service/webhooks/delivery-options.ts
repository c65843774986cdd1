import type { Environment } from '../../contract/enums.ts'
import type { Trace } from '../../domain/trace.ts'
import type { AttemptResult } from '../../domain/webhooks/webhook-attempt.ts'
import type { ClockAndRandom, Settings } from '../../engine/context.ts'
import type { Attempt } from '../../engine/webhooks/delivery-attempts.ts'
import type { Timers } from '../../runtime/runtime.ts'
import type { Database } from '../../store/database.ts'
import type { EventSignal } from '../jobs/event-signal.ts'
import type { DeliveryLimits } from './concurrency-limiter.ts'
import type { ConnectionGuard } from './connections.ts'
import type { AttemptVerdict } from './delivery-batches.ts'

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
  /** Sends a delivery once, and never throws; over the network where it is left out. */
  attempt?: (attempt: Attempt, abort: AbortSignal) => Promise<AttemptResult>
  /** For tests alone: lets a loopback receiver through. Nothing but an argument leads here. */
  guard?: ConnectionGuard
  /** Told of every attempt; never sees a secret, an address or a payload. */
  log?: (entry: DeliveryLog) => void
  /** Told when the database cannot be read or written: it is tried again by itself. */
  onError?: (error: unknown) => void
}

export type DeliveryLog = Partial<Trace> & {
  partner: string
  subscription_id: string
  delivery_id: string
  attempt: number
  verdict: AttemptVerdict
  response_code: number | null
  duration_ms: number
}
