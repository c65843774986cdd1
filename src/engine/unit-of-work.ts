import { v7 } from 'uuid'
import { assert } from '../domain/rejection.ts'
import { timeAt } from '../domain/utc-time.ts'
import { inScope, type ScopedTx, type Tx, type WriteOptions } from '../store/database.ts'
import { bumpCounts, type CountChange, type CountKind } from '../store/tables/counts.ts'
import {
  claimScope,
  findScopeById,
  readScopeClock,
  type Scope,
  type ScopeClaim,
  saveScopeCounters,
} from '../store/tables/scopes.ts'
import { bumpStock, countNewStock, type StockChange } from '../store/tables/stock.ts'
import { type EventRow, eventCountKey, insertEvents } from '../store/tables/webhooks/events.ts'
import type { ClockAndRandom, ReadContext, TimedReadContext, UnitOfWork, Workplace } from './context.ts'
import { scopeTime } from './scope-time.ts'
import { inSlices, yieldToEventLoop } from './yield-to-event-loop.ts'

/** Rows per insert: a few milliseconds. */
const eventsAtOnce = 500

export function readContext(
  tx: Tx,
  scope: Scope,
  { sources, settings }: Pick<ReadContext, 'sources' | 'settings'>,
): ReadContext {
  return { tx: inScope(tx, scope.id), scope, sources, settings }
}

export async function atScopeTime(view: ReadContext): Promise<TimedReadContext> {
  const clock = await readScopeClock(view.tx)
  return { ...view, now: scopeTime(view.sources, { ...view.scope, ...clock }) }
}

export async function openWork(view: ReadContext, trace?: string): Promise<UnitOfWork> {
  const { scope, sources } = view
  const counters = await claimScope(view.tx)
  const now = laterAtWrap(scopeTime(sources, { ...scope, ...counters }), counters)
  assert(now >= counters.last_at, 'time in a scope never goes back', scope.id, now, counters.last_at)
  counters.last_at = now
  return work({ ...view, now }, counters, trace ?? null)
}

function work(view: TimedReadContext, counters: ScopeClaim, trace: string | null): UnitOfWork {
  const { sources } = view
  let events: EventRow[] = []
  let wakes = false
  let isOver = false
  const kept = counterUpdates()
  const mustBeOpen = (what: string): void => assert(!isOver, 'a finished write is final', view.scope.id, what)
  const next = (counter: 'last_item_no' | 'last_intake_no'): number => {
    mustBeOpen(counter)
    counters[counter] += 1
    return counters[counter]
  }
  const newId = idMaker(() => Date.parse(self.now), counters.claims, sources)
  const self: UnitOfWork = {
    ...view,
    wake() {
      wakes = true
    },
    get wakes() {
      return wakes
    },
    newId,
    random: sources.random,
    emit(type, data) {
      mustBeOpen(type)
      assert(data !== '', 'an event carries a resource', view.scope.id, type, data)
      const id = newId()
      counters.last_seq += 1
      const payload = `{"id":"${id}","created_at":"${self.now}","type":"${type}","data":${data}}`
      wakes = true
      kept.count('events', eventCountKey(type, counters.last_seq), 1)
      events.push({ seq: counters.last_seq, id, type, created_at: self.now, payload, trace })
    },
    count: kept.count,
    stock: kept.stock,
    claim: counters,
    nextItemNo: () => next('last_item_no'),
    nextIntakeNo: () => next('last_intake_no'),
    advanceClock(ms) {
      assert(Number.isSafeInteger(ms) && ms >= 0, 'a clock is moved forward', view.scope.id, ms)
      wakes = true
      counters.clock_offset_ms += ms
      self.now = counters.last_at = timeAt(Date.parse(self.now) + ms)
      return counters.clock_offset_ms
    },
    async flush() {
      await writeEvents(self, events)
      events = []
    },
    async finish() {
      mustBeOpen('the end')
      isOver = true
      await writeEvents(self, events)
      assert(self.now <= counters.last_at, 'its scope has reached this time', view.scope.id, self.now)
      await kept.write(view.tx)
      await saveScopeCounters(view.tx, counters)
    },
  }
  return self
}

/** The log is also the outbox: a write does not know who subscribes. */
async function writeEvents({ tx, scope }: UnitOfWork, events: readonly EventRow[]): Promise<void> {
  const [first] = events
  const last = events.at(-1)
  const isWhole = !first || !last || last.seq - first.seq === events.length - 1
  assert(isWhole, 'events follow each other without a gap', scope.id, first?.seq, last?.seq)
  await inSlices(events, eventsAtOnce, (some) => insertEvents(tx, some))
}

/** If the claim number wraps within a millisecond, adds one, so that ids still ascend. */
function laterAtWrap(now: string, { claims, last_at }: ScopeClaim): string {
  if ((claims & 0xfff) !== 0 || now !== last_at) return now
  return timeAt(Date.parse(now) + 1)
}

/** UUIDv7s that ascend by a counter within a write, and by the claim number between writes in one millisecond. */
function idMaker(now: () => number, claims: number, sources: ClockAndRandom): () => string {
  let made = 0
  return () => {
    const seq = ((claims & 0xfff) * 0x100000 + made) % 0x100000000
    made += 1
    assert(made <= 0x100000, 'a transaction creates no more identifiers than its claim has', claims, made)
    return v7({ msecs: now(), seq, random: sources.random(16) })
  }
}

/** More changes than this are split by powers of two, so that each statement's text stays prepared. */
const fewChanges = 16
const changesAtOnce = 128

/** Gathers changes, so that a write of thousands of rows updates each counter once. */
type CounterUpdates = {
  count(kind: CountKind, key: string, by: number): void
  stock(sku: string, by: StockChange, mayBeFirst?: boolean): void
  write(tx: ScopedTx): Promise<void>
}

export function counterUpdates(): CounterUpdates {
  const counts = new Map<CountKind, Map<string, CountChange>>()
  const stock = new Map<string, StockChange & { sku: string }>()
  const maybeNew = new Set<string>()
  return {
    count(kind, key, by) {
      const ofKind = counts.get(kind) ?? new Map<string, CountChange>()
      counts.set(kind, ofKind)
      const sum = ofKind.get(key)
      if (sum) sum.by += by
      else ofKind.set(key, { kind, key, by })
    },
    stock(sku, by, mayBeFirst = false) {
      assert(
        Number.isSafeInteger(by.on_hand + by.available + by.allocated),
        'stock changes by whole units',
        sku,
        by,
      )
      if (mayBeFirst) maybeNew.add(sku)
      const sum = stock.get(sku)
      if (sum) {
        sum.on_hand += by.on_hand
        sum.available += by.available
        sum.allocated += by.allocated
      } else stock.set(sku, { sku, ...by })
    },
    async write(tx) {
      await inStatements([...stock.values()], async (some) => {
        const arrived = some.map(({ sku }) => sku).filter((sku) => maybeNew.has(sku))
        if (arrived.length > 0) await countNewStock(tx, arrived)
        await bumpStock(tx, some)
      })
      const changed = [...counts.values()].flatMap((ofKind) =>
        [...ofKind.values()].filter(({ by }) => by !== 0),
      )
      await inStatements(changed, (some) => bumpCounts(tx, some))
    },
  }
}

async function inStatements<T>(all: readonly T[], write: (some: T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; ) {
    const left = all.length - from
    const some = left <= fewChanges ? left : Math.min(2 ** Math.floor(Math.log2(left)), changesAtOnce)
    await write(all.slice(from, from + some))
    from += some
    await yieldToEventLoop()
  }
}

/** `trace`: the request's. `ask`: a query sent with the claim, to save its round trip. */
type How<A> = WriteOptions & { ask?: (view: ReadContext) => Promise<A>; trace?: string | undefined }

/** The only place that opens, finishes, and announces a write. `task` may run again before a commit. Throws on an unknown id. */
export async function inUnitOfWork<T, A = undefined>(
  place: Workplace,
  scope: Scope | number,
  task: (work: UnitOfWork, asked: A) => Promise<T>,
  { ask, trace, ...how }: How<A> = {},
): Promise<T> {
  const scopeId = typeof scope === 'number' ? scope : scope.id
  let wakes = false
  const result = await place.db.write(
    async (tx) => {
      const found = typeof scope === 'number' ? await findScopeById(tx, scope) : scope
      if (!found) throw new Error(`scope ${scopeId} is gone`)
      assert(found.id === scopeId, 'a transaction belongs to the requested scope', scopeId, found.id)
      const view = readContext(tx, found, place)
      const [work, asked] = await Promise.all([openWork(view, trace), ask?.(view)])
      const done = await task(work, asked as A)
      await work.finish()
      wakes = work.wakes
      return done
    },
    { lane: scopeId, ...how },
  )
  if (wakes) place.wake?.(scopeId)
  return result
}
