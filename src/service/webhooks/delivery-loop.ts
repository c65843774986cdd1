import type { Environment, WebhookEventType } from '../../contract/enums.ts'
import { attemptSecondsMax } from '../../contract/limits.ts'
import { traceOf } from '../../domain/trace.ts'
import type { ClockAndRandom } from '../../engine/context.ts'
import { scopeTime } from '../../engine/scope-time.ts'
import { type Attempt, isSentSo } from '../../engine/webhooks/delivery-attempts.ts'
import type { Timers } from '../../runtime/runtime.ts'
import { type Database, inScope, type Tx } from '../../store/database.ts'
import type { WaitingRange, WaitingRow } from '../../store/tables/webhooks/delivery-leases.ts'
import { listWaiting, listWaitingRanges } from '../../store/tables/webhooks/delivery-leases.ts'
import { lastSeqs } from '../../store/tables/webhooks/events.ts'
import type { AttemptRecorder } from './attempt-recorder.ts'
import { AttemptFault } from './attempt-recorder.ts'
import type { Place, Subscriber } from './concurrency-limiter.ts'
import { slowMs } from './concurrency-limiter.ts'
import type { AttemptVerdict, Batch, EndedAttempt } from './delivery-batches.ts'
import {
  beginNext,
  hasRest,
  isDone,
  putBack,
  recordAttempt,
  recordBatch,
  recordEnded,
} from './delivery-batches.ts'
import type { Leasing } from './delivery-leasing.ts'
import { leaseFor, leaseMs, nameOf, pausedSubscriptions, pauseLeasing } from './delivery-leasing.ts'
import type { DeliveryWorkerOptions } from './delivery-options.ts'

/** A batch that could not begin an attempt for this long is put back, before its lease expires. */
const beginMs = 30_000
/** More batches than places, so that no place waits for a lease. */
const batchesMax = 512
/** Subscriptions leased in one transaction: some milliseconds, so that others write in between. */
const leasedAtOnce = 8

type ScopeId = number | undefined

/** An `undefined` scope means all of them. */
export type DeliveryLoop = DeliveryWorkerOptions &
  Leasing & {
    timers: Timers
    attempt: NonNullable<DeliveryWorkerOptions['attempt']>
    recorder: AttemptRecorder
    batches: Set<Batch>
    tasks: Set<Promise<void>>
    running: Set<AbortController>
    alarms: Map<ScopeId, () => void>
    /** Each scope is polled by itself, so that none waits for another. */
    due: Set<ScopeId>
    polling: Set<ScopeId>
    /** Scopes with a subscription that waits for a place: polled as soon as there is one. */
    waiting: Set<number>
    stopped: boolean
  }

/** If a poll of the scope is running, another one follows. */
export function poll(loop: DeliveryLoop, scopeId: ScopeId): void {
  if (loop.stopped) return
  loop.due.add(scopeId)
  if (loop.polling.has(scopeId)) return
  loop.polling.add(scopeId)
  track(loop, pollWhileDue(loop, scopeId))
}

export async function idle(loop: DeliveryLoop): Promise<void> {
  while (loop.tasks.size > 0) await Promise.all(loop.tasks)
}

/** Starts no further attempts; the rest of each batch is put back. */
export function endBatches(loop: DeliveryLoop): void {
  for (const batch of loop.batches) {
    batch.isOver = true
    recordWhenDone(loop, batch)
  }
}

async function pollWhileDue(loop: DeliveryLoop, scopeId: ScopeId): Promise<void> {
  while (!loop.stopped && loop.due.delete(scopeId)) {
    const look = scopeId === undefined ? checkSubscriptions(loop) : pollOnce(loop, scopeId)
    const nextMs = await look.catch((error: unknown) => {
      loop.onError?.(error)
      return null
    })
    setAlarm(loop, scopeId, nextMs)
  }
  loop.polling.delete(scopeId)
}

/** All scopes are polled every `pollMs` at least, so only earlier times need a timer. */
function setAlarm(loop: DeliveryLoop, scopeId: ScopeId, nextMs: number | null): void {
  loop.alarms.get(scopeId)?.()
  loop.alarms.delete(scopeId)
  if (loop.stopped) return
  const isSoon = nextMs !== null && nextMs < loop.pollMs
  if (scopeId !== undefined && !isSoon) return
  const ms = isSoon ? nextMs : loop.pollMs
  loop.alarms.set(
    scopeId,
    loop.timers.after(ms, () => poll(loop, scopeId)),
  )
}

/** Polls scopes in which something may begin, and from time to time those with batches. Returns like `pollOnce`. */
async function checkSubscriptions(loop: DeliveryLoop): Promise<number | null> {
  const { db, sources, environment, batches, pollMs } = loop
  const busy = busySubscriptions(loop)
  const due = await findDue(db, sources, environment)
  for (const { scopeId } of possibleOf(loop, due.subscriptions, busy)) poll(loop, scopeId)
  const seenBefore = sources.uptime() - pollMs
  for (const batch of batches) if (hasRest(batch) && batch.seenAt <= seenBefore) poll(loop, batch.scopeId)
  return due.nextMs
}

/** Returns in how many milliseconds the next attempt is due. */
async function pollOnce(loop: DeliveryLoop, scopeId: number): Promise<number | null> {
  const { db, sources, environment } = loop
  const tried: string[] = []
  for (;;) {
    // Taken before the read: attempts recorded during it were read in their old state, and are polled for once more.
    const busy = [...busySubscriptions(loop), ...tried]
    const due = await findDue(db, sources, environment, scopeId)
    const possible = possibleOf(loop, due.subscriptions, busy)
    const some = possible.slice(0, leasedAtOnce)
    if (some.length > 0) await lease(loop, scopeId, some)
    if (some.length === possible.length) {
      await endOutdated(loop, scopeId)
      fill(loop)
      return due.nextMs
    }
    fill(loop)
    tried.push(...some.map((one) => one.subscriptionId))
  }
}

/** Puts back the rest of batches whose subscription has changed; each change polls its scope. */
async function endOutdated(loop: DeliveryLoop, scopeId: number): Promise<void> {
  const inHand = [...loop.batches].filter((batch) => hasRest(batch) && batch.scopeId === scopeId)
  if (inHand.length === 0) return
  const seenAt = loop.sources.uptime()
  await loop.db.read(
    (tx) =>
      Promise.all(
        inHand.map(async (batch) => {
          batch.seenAt = seenAt
          if (!(await isSentSo(tx, batch.leased))) batch.isOver = true
        }),
      ),
    { scope: scopeId },
  )
  for (const batch of inHand) recordWhenDone(loop, batch)
}

/** Subscriptions whose batch has attempts left or a result that shows the receiver's state once recorded, and paused ones. */
function busySubscriptions(loop: DeliveryLoop): string[] {
  const inHand = [...loop.batches].filter((one) => one.isOver || one.isFailing || hasRest(one))
  return [...inHand.map((one) => one.subscriptionId), ...pausedSubscriptions(loop)]
}

/** Subscriptions with a free place, in turn, that are not busy and were not busy when their state was read. */
function possibleOf(
  loop: DeliveryLoop,
  due: readonly Subscriber[],
  busyBefore: readonly string[],
): Subscriber[] {
  const { limiter, batches } = loop
  const isBusy = new Set([...busyBefore, ...busySubscriptions(loop)])
  const isFull = batches.size >= batchesMax
  const idle = limiter.inTurn(due).filter((one) => !isBusy.has(one.subscriptionId))
  for (const one of idle) if (isFull || limiter.waits(one)) loop.waiting.add(one.scopeId)
  return isFull || loop.stopped ? [] : idle.filter((one) => limiter.free(one) > 0)
}

async function lease(loop: DeliveryLoop, scopeId: number, some: readonly Subscriber[]): Promise<void> {
  const leased = await leaseFor(loop, scopeId, some)
  if (!leased || leased.hasMore) poll(loop, scopeId)
  if (!leased) return
  for (const { attempt, place } of leased.attempts) track(loop, run(loop, attempt, place))
  for (const batch of leased.batches) loop.batches.add(batch)
  if (loop.stopped) endBatches(loop)
}

function fill(loop: DeliveryLoop): void {
  if (loop.stopped) return
  const { limiter } = loop
  const tooLate = new Date(loop.sources.clock() + leaseMs - beginMs).toISOString()
  for (const batch of limiter.inTurn([...loop.batches].filter(hasRest))) {
    if (batch.leased.lease.until < tooLate) batch.isOver = true
    for (let free = limiter.free(batch); free > 0; free -= 1) {
      const attempt = beginNext(batch)
      if (attempt) track(loop, run(loop, attempt, limiter.take(batch), batch))
    }
    recordWhenDone(loop, batch)
  }
}

async function run(loop: DeliveryLoop, attempt: Attempt, place: Place, batch?: Batch): Promise<void> {
  const abort = new AbortController()
  const callOffSlow = loop.timers.after(slowMs, () => {
    makeRoom(loop, attempt, place.turnSlow)
    if (batch && !batch.isRecorded) track(loop, record(loop, batch))
  })
  const callOff = loop.timers.after(1000 * attemptSecondsMax, () => {
    abort.abort(new AttemptFault(`No answer within ${attemptSecondsMax} s.`))
  })
  if (loop.stopped) abort.abort(putBack)
  loop.running.add(abort)
  loop.underWay.add(nameOf(attempt))
  const started = loop.sources.uptime()
  const result = await loop.attempt(attempt, abort.signal)
  callOff()
  callOffSlow()
  loop.running.delete(abort)
  const isPutBack = abort.signal.reason === putBack && result.response_code === null
  const ended = { attempt, result, isPutBack, ms: loop.sources.uptime() - started }
  if (batch && !batch.isRecorded) {
    recordEnded(batch, ended)
    recordWhenDone(loop, batch)
  } else {
    await recordAttempt(loop.recorder, loop.owner, ended).then(
      (verdict) => tell(loop, ended, verdict),
      // The lease expires and the event is delivered again: at least once.
      (error: unknown) => loop.onError?.(error),
    )
    loop.underWay.delete(nameOf(attempt))
  }
  makeRoom(loop, attempt, () => place.giveBack(!isPutBack))
}

function recordWhenDone(loop: DeliveryLoop, batch: Batch): void {
  if (!batch.isRecorded && isDone(batch)) track(loop, record(loop, batch))
}

async function record(loop: DeliveryLoop, batch: Batch): Promise<void> {
  try {
    for (const { ended, verdict } of await recordBatch(loop.recorder, batch)) tell(loop, ended, verdict)
  } catch (error) {
    loop.onError?.(error)
  }
  for (const { attempt } of batch.ended) loop.underWay.delete(nameOf(attempt))
  loop.batches.delete(batch)
  loop.waiting.add(batch.scopeId)
  pollWaiting(loop)
}

function tell(loop: DeliveryLoop, { attempt, result, ms }: EndedAttempt, verdict: AttemptVerdict): void {
  if (verdict === 'lost') pauseLeasing(loop, attempt.subscriptionId)
  loop.log?.({
    ...traceOf(attempt.trace),
    partner: attempt.partnerName,
    subscription_id: attempt.subscriptionId,
    delivery_id: attempt.id,
    attempt: attempt.number,
    verdict,
    response_code: result.response_code,
    duration_ms: Math.round(ms * 10) / 10,
  })
}

function makeRoom(loop: DeliveryLoop, { scopeId, subscriptionId }: Attempt, change: () => void): void {
  change()
  fill(loop)
  if (!isInHand(loop, subscriptionId)) loop.waiting.add(scopeId)
  pollWaiting(loop)
}

function pollWaiting(loop: DeliveryLoop): void {
  for (const scopeId of loop.waiting) poll(loop, scopeId)
  loop.waiting.clear()
}

function isInHand({ batches }: DeliveryLoop, subscriptionId: string): boolean {
  for (const batch of batches) if (batch.subscriptionId === subscriptionId && hasRest(batch)) return true
  return false
}

function track(loop: DeliveryLoop, task: Promise<void>): void {
  loop.tasks.add(task)
  void task.finally(() => loop.tasks.delete(task))
}

/** `nextMs`: null if nothing waits. */
type Due = { subscriptions: Subscriber[]; nextMs: number | null }

/** Each scope's schedule follows its own clock (decisions 11). */
async function findDue(
  db: Database,
  sources: ClockAndRandom,
  environment: Environment,
  scopeId?: number,
): Promise<Due> {
  const machineNow = new Date(sources.clock()).toISOString()
  const { rows, waiting } = await db.read(
    async (tx) => ({
      rows: await listWaiting(tx, environment, machineNow, scopeId),
      waiting: await findWithEvents(tx, await listWaitingRanges(tx, environment, machineNow, scopeId)),
    }),
    scopeId === undefined ? {} : { scope: scopeId },
  )
  const due: Due = { subscriptions: [], nextMs: null }
  for (const row of rows) {
    const ms = millisecondsUntilDue(row, waiting.has(row.subscription_id), sources)
    if (ms === null) continue
    const { scope_id: scopeId, subscription_id: subscriptionId, failing_since } = row
    if (ms <= 0) due.subscriptions.push({ scopeId, subscriptionId, isFailing: failing_since !== null })
    else due.nextMs = Math.min(due.nextMs ?? ms, ms)
  }
  return due
}

/** A range may lag behind the log's end by events of types that its subscription does not want: those do not count. */
async function findWithEvents(tx: Tx, ranges: readonly WaitingRange[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const [scopeId, ofScope] of Map.groupBy(ranges, (range) => range.scope_id)) {
    const last = await lastSeqs(inScope(tx, scopeId))
    for (const { subscription_id, after_seq, end_seq, event_types } of ofScope) {
      const types: WebhookEventType[] = JSON.parse(event_types)
      if (end_seq !== null || types.some((type) => (last.get(type) ?? 0) > after_seq))
        found.add(subscription_id)
    }
  }
  return found
}

function millisecondsUntilDue(row: WaitingRow, hasEvents: boolean, sources: ClockAndRandom): number | null {
  const { next_attempt_at: next, paused_until: paused } = row
  if (next === null && !hasEvents) return null
  const now = scopeTime(sources, row)
  const at = hasEvents || next === null ? now : next
  return Date.parse(paused !== null && paused > at ? paused : at) - Date.parse(now)
}
