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
  /** Embedded use: every call is this scope's, no key is asked for. */
  principal?: Scope
  /** Left out: no rate limit. */
  limiter?: Limiter
  /** If left out, there is no limit on what is under way. */
  work?: WorkLimiter
  /** How long a stored result is replayed, in milliseconds (decisions 4; at least a day). */
  idempotencyMs?: number
  /** How many results a partner may have stored for replay at once; if left out, any number. */
  storedResultsMax?: number | undefined
  /** How often a waiting reader polls by itself, in milliseconds (default 1,000). */
  eventPollMs?: number
  /** How a webhook's host name is resolved when it is set; by the real network if left out. */
  urlCheck?: Partial<UrlCheck>
  /** The release: another one may word the same answer differently. */
  release?: string | undefined
  /** Whether answers are compressed where a client asks for it (default: they are). */
  compresses?: boolean | undefined
  /** Makes the id of a call without an X-Request-Id; random if left out. */
  newRequestId?: () => string
  /** Called when a call has ended; never sees a key, an address or a body. */
  log?: (entry: LogEntry) => void
}

export type LogEntry = Partial<Trace> & {
  request_id: string
  operation: string
  status: number
  duration_ms: number
  partner?: string
  key_id?: string
  /** Where a refused request without a valid key came from. */
  address?: string
  error?: unknown
}

/** What every stage behind the seam is given. */
export type Context = ServiceOptions &
  Required<Pick<Workplace, 'wake'>> & {
    signal: EventSignal
    idempotencyMs: number
    /** Large uploads whose rows are in memory. */
    uploads: FairQueue
    /** Scopes whose orders all have an identity. */
    withIdentities: Set<number>
  }

/** What the bucket of a key answers, and its rate. */
export type RateDecision = Omit<BucketAnswer, 'state'> & { rate: Rate }

/** A token bucket per key, in memory or in the database that several processes share. */
export type Limiter = { take(key: string, nowMs: number): RateDecision | Promise<RateDecision> }

/** What one key may have under way at once (decisions 12); bytes count from the time they are sent, or read, until they are taken. */
export type KeyLimits = { requests: number; waits: number; answerBytes: number; uploadBytes: number }
export type WorkKind = keyof KeyLimits

/** What is under way, by key. */
export type WorkLimiter = {
  /** Counts an amount of a kind until the returned function is called. Throws `rate_limited` with the limit's name, or `Overloaded`. */
  take(key: string, kind: WorkKind, amount?: number): () => void
  /** The same for what exists already and cannot be refused any more. */
  hold(key: string, kind: WorkKind, amount: number): () => void
  /** Throws if nothing more of a kind would be accepted. */
  check(key: string, kind: WorkKind): void
}
