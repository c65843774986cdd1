import type { Environment } from '../contract/enums.ts'
import type { Trace } from '../domain/trace.ts'
import type { ClockAndRandom, Settings, Workplace } from '../engine/context.ts'
import type { Database } from '../store/database.ts'
import type { FairQueue } from '../store/fair-queue.ts'
import type { Scope } from '../store/tables/scopes.ts'
import type { EventSignal } from './jobs/event-signal.ts'
import type { UrlCheck } from './webhooks/url-check.ts'

export type ServiceOptions = {
  db: Database
  environment: Environment
  sources: ClockAndRandom
  settings: Settings
  /** Embedded use: every call is this scope's, no key is asked for. */
  principal?: Scope
  /** Left out: no rate limit. */
  limiter?: Limiter
  /** Left out: whatever is asked is taken on. */
  work?: WorkLimiter
  /** How long a stored result is replayed, in milliseconds (decisions 4; at least a day). */
  idempotencyMs?: number
  /** Results that a partner may have stored for replay at once; left out: as many as there are. */
  storedResultsMax?: number | undefined
  /** How often a waiting reader looks by itself, in milliseconds (default 1,000). */
  eventPollMs?: number
  /** How a webhook's host name is looked at when it is set; the real network where it is left out. */
  urlCheck?: Partial<UrlCheck>
  /** Which release this is: another may answer the same in other words. */
  release?: string | undefined
  /** Whether answers are compressed where a client asks for it (default: they are). */
  compresses?: boolean | undefined
  /** Names a call that came without an X-Request-Id; by chance where it is left out. */
  newRequestId?: () => string
  /** Told of every call that ended; never sees a key, an address or a body. */
  log?: (entry: LogEntry) => void
}

export type LogEntry = Partial<Trace> & {
  request_id: string
  operation: string
  status: number
  duration_ms: number
  partner?: string
  key_id?: string
  error?: unknown
}

/** What every stage behind the seam is given. */
export type Context = ServiceOptions &
  Required<Pick<Workplace, 'wake'>> & {
    signal: EventSignal
    idempotencyMs: number
    /** Large uploads whose rows are in memory. */
    uploads: FairQueue
  }

/** Tokens per second and the bucket's size (decisions 3). */
export type Rate = { rate_per_s: number; burst: number }

export type RateDecision = {
  allowed: boolean
  /** Whole tokens left. */
  remaining: number
  /** Seconds until the bucket is full again. */
  reset_seconds: number
  /** Whole seconds until one token is there; 0 when allowed. */
  retry_after_seconds: number
  rate: Rate
}

/** A token bucket per key, in memory or in the database that several processes share. */
export type Limiter = { take(key: string, nowMs: number): RateDecision | Promise<RateDecision> }

/** What one key may have under way at once (decisions 12); bytes count from the time they are sent, or read, until they are taken. */
export type KeyLimits = { requests: number; waits: number; answerBytes: number; uploadBytes: number }
export type WorkKind = keyof KeyLimits

/** What is under way, by key. */
export type WorkLimiter = {
  /** Counts so much of a kind until the answer is called. Throws `rate_limited` with the limit's name, or `Overloaded`. */
  take(key: string, kind: WorkKind, amount?: number): () => void
  /** The same of what is there already, and is not refused any more. */
  hold(key: string, kind: WorkKind, amount: number): () => void
  /** Throws where nothing more of a kind would be taken on. */
  check(key: string, kind: WorkKind): void
}
