import type { WebhookEventType } from '../contract/enums.ts'
import type { Database, Tx } from '../store/database.ts'
import type { CountKind } from '../store/tables/counts.ts'
import type { Scope, ScopeClaim } from '../store/tables/scopes.ts'
import type { StockChange } from '../store/tables/stock.ts'

/** Settings of the rules; everything else they need is in the database. */
export type Settings = {
  /** ISO 3166-1 alpha-2 codes that are shipped to (decisions 5). */
  servedCountries: ReadonlySet<string>
  /** Days after `expected_arrival_end` until a manifest closes by itself (decisions 6). */
  closeGraceDays: number
  /** Days for which an order without a reference is known by its content (decisions 13). */
  repeatsDays: number
}

/** Time and chance, injected: tests give their own. */
export type ClockAndRandom = {
  /** Milliseconds since the epoch. */
  clock(): number
  /** Milliseconds on a monotonic clock: setting the machine's clock does not move it. */
  uptime(): number
  random(bytes: number): Uint8Array
}

/** A read of one scope on one snapshot. It has no time: few reads need one, and the others are spared the query. */
export type ReadContext = { tx: Tx; scope: Scope; sources: ClockAndRandom; settings: Settings }

/** The same at a time: `now` is the scope's clock, UTC with milliseconds. */
export type TimedReadContext = ReadContext & { now: string }

/** A write of one scope: the scope is claimed, so the rules need no lock. Time and identifiers come from here only. */
export type UnitOfWork = TimedReadContext & {
  /** A UUIDv7 of this work's time, later than every one before it in this scope. */
  newId(): string
  random(bytes: number): Uint8Array
  /** Appends an event; its data are the exact bytes of the resource. */
  emit(type: WebhookEventType, data: string): void
  /** Changes a kept count. */
  count(kind: CountKind, key: string, by: number): void
  /** Changes the kept stock of a SKU; `mayBeFirst`: it may be the first item of that SKU. */
  stock(sku: string, by: StockChange, mayBeFirst?: boolean): void
  /** How many writes the scope has had, this one included, and how many results it keeps for replay: storing one adds to that. */
  readonly claim: Readonly<Pick<ScopeClaim, 'claims'>> & Pick<ScopeClaim, 'stored_results'>
  nextItemNo(): number
  nextIntakeNo(): number
  /** Moves the scope's clock forward, and this work's `now` with it. Answers the whole offset in milliseconds. */
  advanceClock(ms: number): number
  /** Wakes those who wait for this scope once this work is committed, even if it appends no event. */
  wake(): void
  /** Whether to wake anybody: events were appended, deliveries queued, or the clock was moved. */
  readonly wakes: boolean
  /** Writes the events gathered so far, so that a long import holds few of them in memory. */
  flush(): Promise<void>
  /** Writes what was gathered: events, counts, the scope's counters. Call it last in the transaction. */
  finish(): Promise<void>
}

/** Where units of work run, and whom to tell about them. */
export type Workplace = {
  db: Database
  sources: ClockAndRandom
  settings: Settings
  /** Called after the commit of a work that appended events, queued deliveries or moved the clock. */
  wake?: (scopeId: number) => void
}
