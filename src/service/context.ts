import type { Environment } from '../contract/enums.ts'
import type { BucketAnswer, Rate } from '../domain/token-bucket.ts'
import type { Trace } from '../domain/trace.ts'
import type { ClockAndRandom, Settings, Workplace } from '../engine/context.ts'
import type { Database } from '../store/database.ts'
import type { FairQueue } from '../store/fair-queue.ts'
import type { Scope } from '../store/tables/scopes.ts'
import type { EventSignal } from './jobs/event-signal.ts'
import type { UrlCheck } from './webhooks/connections.ts'

export type ServiceOptions = {
  db: Database
  environment: Environment
  sources: ClockAndRandom
  settings: Settings
  /** Embedded use: every call acts for this scope and needs no key. */
  principal?: Scope
  limiter?: Limiter
  work?: WorkLimiter
  /** How long a stored result is replayed, in milliseconds (at least a day, decisions 4). */
  idempotencyMs?: number
  /** Maximum number of stored results per partner. */
  storedResultsMax?: number | undefined
  /** Milliseconds between the polls of a waiting reader (default 1,000). */
  eventPollMs?: number
  urlCheck?: Partial<UrlCheck>
  /** Part of entity tags: another release may render the same resource differently. */
  release?: string | undefined
  compresses?: boolean | undefined
  newRequestId?: () => string
  /** Called when a call ends; never gets a key, an address or a body. */
  log?: (entry: LogEntry) => void
}

export type LogEntry = Partial<Trace> & {
  request_id: string
  operation: string
  status: number
  duration_ms: number
  partner?: string
  key_id?: string
  /** Client address of a rejected request without a valid key. */
  address?: string
  error?: unknown
}

export type Context = ServiceOptions &
  Required<Pick<Workplace, 'wake'>> & {
    signal: EventSignal
    idempotencyMs: number
    uploads: FairQueue
    withIdentities: Set<number>
  }

export type RateDecision = Omit<BucketAnswer, 'state'> & { rate: Rate }

/** One token bucket per key, in memory or in the database that several processes share. */
export type Limiter = { take(key: string, nowMs: number): RateDecision | Promise<RateDecision> }

/** Limits of one key's work in progress (decisions 12). `answerBytes` count until the client has read them. */
export type KeyLimits = { requests: number; waits: number; answerBytes: number; uploadBytes: number }
export type WorkKind = keyof KeyLimits

export type WorkLimiter = {
  /** Counts an amount until the returned function is called. Throws `rate_limited` with the limit's name, or `Overloaded`. */
  take(key: string, kind: WorkKind, amount?: number): () => void
  /** Like `take`, for an amount that already exists and can no longer be rejected. */
  hold(key: string, kind: WorkKind, amount: number): () => void
  /** Throws if the limit for this kind is already reached. */
  check(key: string, kind: WorkKind): void
}
