import { type Json, parsedJson } from '../contract/call.ts'
import type { Repeats, WebhookEventType } from '../contract/enums.ts'
import { closeGraceDaysDefault, repeatsDaysDefault } from '../contract/limits.ts'
import type {
  BodyOf,
  LinkedId,
  OperationId,
  Operations,
  PagedId,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../contract/operations.ts'
import type { CsvRowError } from '../contract/resources/error.ts'
import { countriesServedByDefault } from '../domain/fulfillments/destinations.ts'
import { existing, invalid } from '../domain/rejection.ts'
import { isStorable } from '../domain/storable-text.ts'
import type { Database, ScopedTx } from '../store/database.ts'
import type { CountKind } from '../store/tables/counts.ts'
import { type Documents, findDoc } from '../store/tables/documents.ts'
import type { Scope, ScopeClaim } from '../store/tables/scopes.ts'
import type { StockChange } from '../store/tables/stock.ts'

/** Settings that affect the rules; all other inputs are in the database. */
export type Settings = {
  /** ISO 3166-1 alpha-2 codes of the countries shipped to (decisions 5). */
  servedCountries: ReadonlySet<string>
  /** Days after `expected_arrival_end` until a manifest closes by itself (decisions 6). */
  closeGraceDays: number
  /** Days during which an order without a reference is recognised by its content (decisions 13). */
  repeatsDays: number
}

export const defaultSettings: Settings = {
  servedCountries: countriesServedByDefault,
  repeatsDays: repeatsDaysDefault,
  closeGraceDays: closeGraceDaysDefault,
}

/** Injected, so that tests can control time and chance. */
export type ClockAndRandom = {
  /** Milliseconds since the epoch. */
  clock(): number
  /** Milliseconds on a monotonic clock, unaffected by setting the machine's clock. */
  uptime(): number
  random(bytes: number): Uint8Array
}

/** A read of one scope on one snapshot. It has no time: few reads need it, and it costs a query. */
export type ReadContext = { tx: ScopedTx; scope: Scope; sources: ClockAndRandom; settings: Settings }

/** `now` is the scope's clock, UTC with milliseconds. */
export type TimedReadContext = ReadContext & { now: string }

/** A write that has claimed its scope, so the rules need no locks and take time and identifiers only from here. */
export type UnitOfWork = TimedReadContext & {
  /** A UUIDv7 later than all earlier ones in this scope. */
  newId(): string
  random(bytes: number): Uint8Array
  /** `data`: the exact bytes of the resource. */
  emit(type: WebhookEventType, data: string): void
  count(kind: CountKind, key: string, by: number): void
  /** `mayBeFirst`: this may be the SKU's first item. */
  stock(sku: string, by: StockChange, mayBeFirst?: boolean): void
  /** `claims` includes this write, and `last_seq` its events. Storing a result increments `stored_results`. */
  readonly claim: Readonly<Pick<ScopeClaim, 'claims' | 'last_seq'>> & Pick<ScopeClaim, 'stored_results'>
  nextItemNo(): number
  nextIntakeNo(): number
  /** Advances the scope's clock and this write's `now`. Returns the total offset in milliseconds. */
  advanceClock(ms: number): number
  /** Wakes the scope's waiting readers after the commit, even if no event is appended. */
  wake(): void
  readonly wakes: boolean
  /** Writes the events gathered so far, so that a long import holds few in memory. */
  flush(): Promise<void>
  /** Writes events and counters. Call it last in the transaction. */
  finish(): Promise<void>
}

/**
 * The rest of a write after its first queries, which are sent with the claim of its scope to save their round trip. It alone
 * rejects: a stored result is replayed even if what the request names is gone.
 */
export type Rest<T> = (work: UnitOfWork) => Promise<T>

export type Workplace = {
  db: Database
  sources: ClockAndRandom
  settings: Settings
  /** Called after a commit that appended events, queued deliveries, or advanced the clock. */
  wake?: (scopeId: number) => void
}

/** Rendered when found, because rendering 50,000 at once takes a third of a second. */
export type RenderedError = { row: number; text: Json<CsvRowError> }

export type StepPart = {
  created: string[]
  errors: RenderedError[]
  /** Rows that an earlier request carried out, rendered. */
  repeated?: string[]
  /** The manifest being submitted, once a line is inserted. */
  manifestId?: string
}

/** A long write in steps: other writes run in between, and finished steps are kept. */
export type SteppedWrite = {
  /** The place at which the write is complete; places count from 0. */
  end: number
  /** The queries of the first step, sent with the claim of its scope to save their round trip. May run again. Rejects nothing. */
  asks?(view: ReadContext): Promise<void>
  /** Does some milliseconds of work, adds its result to `part`, and returns the next place. */
  take(work: UnitOfWork, place: number, part: StepPart): Promise<number>
  /** The answer's exact bytes, in pieces because it may be long. */
  answer(parts: readonly StepPart[]): Promise<readonly string[]>
}

/** The `end` of a write that itself decides when it is complete. */
export const atLast = 2 ** 40

/** Milliseconds after which a step ends and other writes get a turn. */
const stepMs = 15

export function stepTimer(
  { uptime }: Pick<UnitOfWork['sources'], 'uptime'>,
  ms: number = stepMs,
): () => boolean {
  const until = uptime() + ms
  return () => uptime() < until
}

type Input<Id extends OperationId> = {
  params: ParamsOf<Id>
  query: QueryOf<Id>
  body: BodyOf<Id>
  repeats: Repeats
}

/** Exact JSON, or for page-number lists the page's results and the total. */
type Result<Id extends OperationId> = Id extends PagedId
  ? Listing<ResultOf<Id>>
  : Id extends LinkedId
    ? LinkedPage<ResultOf<Id>>
    : Json<ResultOf<Id>>

/** `Part`: the parts of the request that it reads, for code that calls it directly. */
export type Handler<Id extends OperationId, Part extends keyof Input<Id> = keyof Input<Id>> = (
  context: Operations[Id]['method'] extends 'GET' ? ReadContext : UnitOfWork,
  input: Pick<Input<Id>, Part>,
) => Promise<Result<Id>>

/** A write whose first queries are sent with the claim of its scope. */
export type Opener<Id extends WriteId, Part extends keyof Input<Id> = keyof Input<Id>> = (
  view: ReadContext,
  input: Pick<Input<Id>, Part>,
) => Promise<Rest<Json<ResultOf<Id>>>>

type Unscoped = 'getOpenApi'
export type ScopedId = Exclude<OperationId, Unscoped>
export type ReadId = {
  [Id in ScopedId]: Operations[Id]['method'] extends 'GET' ? Id : never
}[ScopedId]
/** Kept apart from reads, so that a command that only reads never loads what writes need. */
export type WriteId = Exclude<ScopedId, ReadId>

/** The total and one page, rendered; the service adds the envelope of 2.13. */
export type Listing<T> = { docs: Array<Json<T>>; total: number }

/** A resource that contains one page of each of its lists. */
export type LinkedPage<T> = { text: Json<T>; hasMore: boolean }

export type Paging = { page: number; page_size: number }

/** Capped, because databases reject larger integers. */
export function offsetOf(paging: Paging): number {
  return Math.min((paging.page - 1) * paging.page_size, Number.MAX_SAFE_INTEGER)
}

export function sliceOf(paging: Paging): { limit: number; offset: number } {
  return { limit: paging.page_size, offset: offsetOf(paging) }
}

/** Values of a filter that takes many, as a JSON array. Throws `invalid` naming it. */
export function textsIn(name: string, text: string, most: number): string[] {
  const texts = parsedJson(text)
  const isFit = Array.isArray(texts) && texts.length > 0 && texts.length <= most
  if (isFit && texts.every((each) => typeof each === 'string' && isStorable(each))) return texts
  throw invalid({ [name]: [`must be a JSON array of 1 to ${most} strings`] })
}

/** The exact stored bytes, by id or an item's canonical QID. Throws `not_found`. */
export async function loadDoc<T extends keyof Documents>(
  { tx }: Pick<ReadContext, 'tx'>,
  table: T,
  key: string,
  column?: 'qid',
): Promise<Json<Documents[T]>> {
  return existing(await findDoc(tx, table, key, column))
}
