import { atScopeTime } from '../../engine/unit-of-work.ts'
import { type Attempt, leaseAttempts } from '../../engine/webhooks/delivery-attempts.ts'
import { releaseDelivery } from '../../store/tables/delivery-leases.ts'
import { findScopeById } from '../../store/tables/scopes.ts'
import type { Timers } from '../jobs/timers.ts'
import { makeAttempt } from './attempt.ts'
import { AttemptFault } from './attempt-fault.ts'
import type { Settler } from './attempt-recorder.ts'
import { type DeliverySlots, type Place, type Subscriber, slowMs } from './concurrency-limiter.ts'
import type { ConnectionGuard } from './connection-guard.ts'
import type { DeliveryLog, DeliveryWorkerOptions } from './delivery-worker.ts'
import { findDue } from './due-subscriptions.ts'

/** An attempt may take this long, from asking for the address to the end of the answer (decisions 9). */
export const attemptMs = 15_000
/** Longer than an attempt and its recording ever take: a lease this old is that of a process that died. */
export const leaseMs = 60_000

/** Why an attempt is aborted that goes back to where it was. */
export const putBack = new Error('put back')

type ScopeId = number | undefined

/** The worker's state; `undefined` in the place of a scope means all of them. */
export type DeliveryLoop = DeliveryWorkerOptions & {
  owner: string
  timers: Timers
  guard: ConnectionGuard
  pollMs: number
  slots: DeliverySlots
  settler: Settler
  tasks: Set<Promise<void>>
  running: Set<AbortController>
  alarms: Map<ScopeId, () => void>
  wanted: Set<ScopeId>
  looking: boolean
  stopped: boolean
}

/** Looks for what is due in a scope, or in all; looks once more where it is looking already. */
export function look(loop: DeliveryLoop, scopeId: ScopeId): void {
  if (loop.stopped) return
  loop.wanted.add(scopeId)
  if (loop.looking) return
  loop.looking = true
  track(loop, lookWhileWanted(loop))
}

/** Resolves when nothing runs and nobody looks. */
export async function idle(loop: DeliveryLoop): Promise<void> {
  while (loop.tasks.size > 0) await Promise.all(loop.tasks)
}

async function lookWhileWanted(loop: DeliveryLoop): Promise<void> {
  while (!loop.stopped && loop.wanted.size > 0) {
    for (const scopeId of takeWanted(loop.wanted)) {
      const nextMs = await lookAt(loop, scopeId).catch((error: unknown) => {
        loop.onError?.(error)
        return null
      })
      setAlarm(loop, scopeId, nextMs)
    }
  }
  loop.looking = false
}

/** A look at all scopes makes one at each of them needless. */
function takeWanted(wanted: Set<ScopeId>): ScopeId[] {
  const taken = wanted.has(undefined) ? [undefined] : [...wanted]
  wanted.clear()
  return taken
}

/** All scopes are looked at every `pollMs` at least; so only what is due sooner needs an alarm of its own. */
function setAlarm(loop: DeliveryLoop, scopeId: ScopeId, nextMs: number | null): void {
  loop.alarms.get(scopeId)?.()
  loop.alarms.delete(scopeId)
  if (loop.stopped) return
  const isSoon = nextMs !== null && nextMs < loop.pollMs
  if (scopeId !== undefined && !isSoon) return
  const ms = isSoon ? nextMs : loop.pollMs
  loop.alarms.set(
    scopeId,
    loop.timers.after(ms, () => look(loop, scopeId)),
  )
}

/** Begins what may begin; answers in how many milliseconds the next is due. */
async function lookAt(loop: DeliveryLoop, scopeId: ScopeId): Promise<number | null> {
  const { db, sources, environment, slots } = loop
  const due = await findDue(db, sources, environment, scopeId)
  for (const [scope, subscriptions] of Map.groupBy(slots.inTurn(due.subscriptions), (one) => one.scopeId)) {
    await begin(loop, scope, subscriptions)
  }
  return due.nextMs
}

async function begin(loop: DeliveryLoop, scopeId: number, due: readonly Subscriber[]): Promise<void> {
  const { slots } = loop
  const possible = due.filter((one) => slots.free(one) > 0)
  if (possible.length === 0 || loop.stopped) return
  let leased: Array<{ attempt: Attempt; place: Place }> = []
  const giveBack = (): void => {
    for (const { place } of leased) place.giveBack()
    leased = []
  }
  try {
    await loop.db.write(async (tx) => {
      // A transaction that lost a race is run again.
      giveBack()
      const scope = await findScopeById(tx, scopeId)
      if (!scope) return
      const view = await atScopeTime({ tx, scope, sources: loop.sources, settings: loop.settings })
      for (const one of possible) {
        const free = slots.free(one)
        if (free === 0) continue
        const attempts = await leaseAttempts(view, one.subscriptionId, newLease(loop), free)
        for (const attempt of attempts) leased.push({ attempt, place: slots.take(one) })
      }
    })
  } catch (error) {
    giveBack()
    throw error
  }
  for (const { attempt, place } of leased) track(loop, run(loop, attempt, place))
}

function newLease({ owner, sources }: DeliveryLoop): { owner: string; now: string; until: string } {
  const now = sources.clock()
  return { owner, now: new Date(now).toISOString(), until: new Date(now + leaseMs).toISOString() }
}

async function run(loop: DeliveryLoop, attempt: Attempt, place: Place): Promise<void> {
  const { sources } = loop
  const abort = new AbortController()
  const callOffSlow = loop.timers.after(slowMs, () => makeRoom(loop, attempt.scopeId, place.turnSlow))
  const callOff = loop.timers.after(attemptMs, () => {
    abort.abort(new AttemptFault(`No answer came within ${attemptMs / 1000} s.`))
  })
  if (loop.stopped) abort.abort(putBack)
  loop.running.add(abort)
  const started = performance.now()
  const result = await makeAttempt(attempt, loop.guard, () => sources.clock(), abort.signal)
  callOff()
  callOffSlow()
  loop.running.delete(abort)
  const isPutBack = abort.signal.reason === putBack && result.response_code === null
  try {
    const verdict = isPutBack ? await release(loop, attempt) : await loop.settler.settle({ attempt, result })
    loop.log?.({
      partner: attempt.partnerName,
      subscription_id: attempt.subscriptionId,
      delivery_id: attempt.id,
      attempt: attempt.number,
      verdict,
      response_code: result.response_code,
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
    })
  } catch (error) {
    // The lease runs out, and it is delivered again: at least once.
    loop.onError?.(error)
  }
  makeRoom(loop, attempt.scopeId, () => place.giveBack(!isPutBack))
}

/** Whoever waited for the room that a change makes is looked at. */
function makeRoom(loop: DeliveryLoop, scopeId: number, change: () => void): void {
  const wasShort = loop.slots.isShort()
  change()
  look(loop, wasShort ? undefined : scopeId)
}

async function release(loop: DeliveryLoop, attempt: Attempt): Promise<DeliveryLog['verdict']> {
  const { scopeId, subscriptionId, id } = attempt
  await loop.db.write((tx) => releaseDelivery(tx, scopeId, subscriptionId, id, loop.owner))
  return 'put_back'
}

function track(loop: DeliveryLoop, task: Promise<void>): void {
  loop.tasks.add(task)
  void task.finally(() => loop.tasks.delete(task))
}
