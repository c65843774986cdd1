import type { Environment } from '../../contract/enums.ts'
import type { Trace } from '../../domain/trace.ts'
import type { AttemptResult } from '../../domain/webhooks/webhook-schedule.ts'
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
  environment: Environment
  sources: ClockAndRandom
  settings: Settings
  /** Wakes the worker for commits of this process at once. */
  signal: EventSignal
  limits?: Partial<DeliveryLimits>
  /** Milliseconds between polls (default 1,000): other processes write to the same database. */
  pollMs?: number
  timers?: Timers
  /** Never throws; uses the network by default. */
  attempt?: (attempt: Attempt, abort: AbortSignal) => Promise<AttemptResult>
  /** For tests only: lets a loopback receiver through. */
  guard?: ConnectionGuard
  /** Never gets a secret, an address or a payload. */
  log?: (entry: DeliveryLog) => void
  /** Called when the database fails; the worker retries by itself. */
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
