import { traceOf } from '../../domain/trace.ts'
import { atScopeTime } from '../../engine/unit-of-work.ts'
import { type Attempt, leaseAttempts } from '../../engine/webhooks/delivery-attempts.ts'
import type { Timers } from '../../runtime/runtime.ts'
import { findScopeById } from '../../store/tables/scopes.ts'
import { AttemptFault } from './attempt-fault.ts'
import type { AttemptRecorder } from './attempt-recorder.ts'
import { type ConcurrencyLimiter, type Place, type Subscriber, slowMs } from './concurrency-limiter.ts'
import {
  type AttemptVerdict,
  type Batch,
  beginNext,
  type EndedAttempt,
  hasRest,
  isDone,
  newBatch,
  noteEnded,
  putBack,
  recordAttempt,
  recordBatch,
} from './delivery-batches.ts'
import type { DeliveryWorkerOptions } from './delivery-options.ts'
import { findDue } from './due-subscriptions.ts'

/** An attempt may take this long, from asking for the address to the end of the answer (decisions 9). */
const attemptMs = 15_000
/** Longer than an attempt and its recording ever take: an older lease belongs to a process that died. */
const leaseMs = 60_000
/** A batch of which nothing could begin for so long is put back, before its lease runs out. */
const beginMs = 30_000
/** Events of one batch; one at a receiver that fails or is slow. */
const batchMax = 100
/** More batches than there are places, so that nobody waits for one to be leased. */
const batchesMax = 512

type ScopeId = number | undefined

/** The worker's state; `undefined` in the place of a scope means all of them. */
export type DeliveryLoop = DeliveryWorkerOptions & {
  owner: string
  timers: Timers
  attempt: NonNullable<DeliveryWorkerOptions['attempt']>
  pollMs: number
  limiter: ConcurrencyLimiter
  recorder: AttemptRecorder
  /** Leased batches, until they are recorded. */
  batches: Set<Batch>
  /** Subscriptions that another worker takes leases of as well, by the uptime until which they are left alone. */
  left: Map<string, number>
  /** What is being attempted and is not recorded yet, as `nameOf` says. */
  underWay: Set<string>
  tasks: Set<Promise<void>>
  running: Set<AbortController>
  alarms: Map<ScopeId, () => void>
  /** The scopes to be polled. */
  due: Set<ScopeId>
  polling: boolean
  stopped: boolean
}

/** Polls a scope, or all of them; if a poll is running, once more after it. */
export function poll(loop: DeliveryLoop, scopeId: ScopeId): void {
  if (loop.stopped) return
  loop.due.add(scopeId)
  if (loop.polling) return
  loop.polling = true
  track(loop, pollWhileDue(loop))
}

/** Resolves when nothing runs and no poll is under way. */
export async function idle(loop: DeliveryLoop): Promise<void> {
  while (loop.tasks.size > 0) await Promise.all(loop.tasks)
}

/** Starts no further attempts: what has not begun is put back. */
export function endBatches(loop: DeliveryLoop): void {
  for (const batch of loop.batches) {
    batch.isOver = true
    recordWhenDone(loop, batch)
  }
}

async function pollWhileDue(loop: DeliveryLoop): Promise<void> {
  while (!loop.stopped && loop.due.size > 0) {
    for (const scopeId of takeDue(loop.due)) {
      const nextMs = await pollOnce(loop, scopeId).catch((error: unknown) => {
        loop.onError?.(error)
        return null
      })
      setAlarm(loop, scopeId, nextMs)
    }
  }
  loop.polling = false
}

/** A poll of all scopes replaces those of single ones. */
function takeDue(due: Set<ScopeId>): ScopeId[] {
  const taken = due.has(undefined) ? [undefined] : [...due]
  due.clear()
  return taken
}

/** All scopes are polled every `pollMs` at least, so only what is due sooner needs its own timer. */
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

/** Begins what may begin; answers in how many milliseconds the next is due. */
async function pollOnce(loop: DeliveryLoop, scopeId: ScopeId): Promise<number | null> {
  const { db, sources, environment, limiter } = loop
  // Taken before the read: what is recorded during it was read in its old state, and is polled for once more.
  const busy = busyOnes(loop)
  const due = await findDue(db, sources, environment, scopeId)
  for (const [scope, subscriptions] of Map.groupBy(limiter.inTurn(due.subscriptions), (one) => one.scopeId)) {
    await lease(loop, scope, subscriptions, busy)
  }
  fill(loop)
  return due.nextMs
}

/** Those with something in hand that is still to begin, or that says how the receiver is once it is recorded; and those left alone. */
function busyOnes({ batches, left, sources }: DeliveryLoop): string[] {
  const now = sources.uptime()
  for (const [id, until] of left) if (until <= now) left.delete(id)
  const inHand = [...batches].filter((one) => one.isOver || one.isFailing || hasRest(one))
  return [...inHand.map((one) => one.subscriptionId), ...left.keys()]
}

/** Thrown where what is under way here could be leased: another worker has had it meanwhile, and holds it by its own clock. */
const takenBetween = new Error('taken between')

/** Two workers by whose clocks each other's leases are over would take turns, and the receiver get the same again and again. */
function leaveAlone({ left, sources, pollMs }: DeliveryLoop, subscriptionId: string): void {
  left.set(subscriptionId, sources.uptime() + pollMs)
}

const nameOf = ({ subscriptionId, id }: Attempt): string => `${subscriptionId} ${id}`

/** Leases for those that have a free place and are not busy, nor were when it was read how they are. */
async function lease(
  loop: DeliveryLoop,
  scopeId: number,
  due: readonly Subscriber[],
  busyBefore: readonly string[],
): Promise<void> {
  const { limiter } = loop
  const isBusy = new Set([...busyBefore, ...busyOnes(loop)])
  const possible = due.filter((one) => limiter.free(one) > 0 && !isBusy.has(one.subscriptionId))
  if (possible.length === 0 || loop.batches.size >= batchesMax || loop.stopped) return
  let leased: Array<{ attempt: Attempt; place: Place }> = []
  let batches: Batch[] = []
  const giveBack = (): void => {
    for (const { place } of leased) place.giveBack()
    leased = []
    batches = []
  }
  try {
    await loop.db.write(async (tx) => {
      // A transaction that loses a race is run again.
      giveBack()
      const scope = await findScopeById(tx, scopeId)
      if (!scope) return
      const view = await atScopeTime({ tx, scope, sources: loop.sources, settings: loop.settings })
      for (const one of possible) {
        const limit = limiter.free(one)
        if (limit === 0) continue
        const events = limiter.isSlow(one) ? 1 : batchMax
        const { attempts, batch } = await leaseAttempts(view, one.subscriptionId, newLease(loop), {
          limit,
          events,
        })
        if ([...attempts, ...(batch?.attempts ?? [])].some((attempt) => loop.underWay.has(nameOf(attempt)))) {
          leaveAlone(loop, one.subscriptionId)
          throw takenBetween
        }
        for (const attempt of attempts) leased.push({ attempt, place: limiter.take(one) })
        if (batch) batches.push(newBatch(one, batch))
      }
    })
  } catch (error) {
    giveBack()
    if (error !== takenBetween) throw error
    poll(loop, scopeId)
  }
  for (const { attempt, place } of leased) track(loop, run(loop, attempt, place))
  for (const batch of batches) loop.batches.add(batch)
  if (loop.stopped) endBatches(loop)
}

function newLease({ owner, sources }: DeliveryLoop): { owner: string; now: string; until: string } {
  const now = sources.clock()
  return { owner, now: new Date(now).toISOString(), until: new Date(now + leaseMs).toISOString() }
}

/** Begins as much of the batches in hand as may begin. */
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
  const callOff = loop.timers.after(attemptMs, () => {
    abort.abort(new AttemptFault(`No answer came within ${attemptMs / 1000} s.`))
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
    noteEnded(batch, ended)
    recordWhenDone(loop, batch)
  } else {
    await recordAttempt(loop.recorder, loop.owner, ended).then(
      (verdict) => tell(loop, ended, verdict),
      // The lease runs out and the event is delivered again: at least once.
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
  poll(loop, batch.scopeId)
}

function tell(loop: DeliveryLoop, { attempt, result, ms }: EndedAttempt, verdict: AttemptVerdict): void {
  if (verdict === 'lost') leaveAlone(loop, attempt.subscriptionId)
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

/** A change may make room: see whether somebody waits for it. */
function makeRoom(loop: DeliveryLoop, { scopeId, subscriptionId }: Attempt, change: () => void): void {
  const wasShort = loop.limiter.isShort()
  change()
  fill(loop)
  if (wasShort) poll(loop, undefined)
  else if (!isInHand(loop, subscriptionId)) poll(loop, scopeId)
}

/** Whether more was leased of a subscription than was begun. */
function isInHand({ batches }: DeliveryLoop, subscriptionId: string): boolean {
  for (const batch of batches) if (batch.subscriptionId === subscriptionId && hasRest(batch)) return true
  return false
}

function track(loop: DeliveryLoop, task: Promise<void>): void {
  loop.tasks.add(task)
  void task.finally(() => loop.tasks.delete(task))
}
