import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { WebhookEventType } from '../../contract/enums.ts'
import { assert } from '../../domain/rejection.ts'
import { timeOfUuid } from '../../domain/uuid.ts'
import {
  type AttemptResult,
  type Health,
  healthAfter,
  isSuccess,
  outcomeOf,
} from '../../domain/webhooks/webhook-schedule.ts'
import { inScope, type Tx } from '../../store/database.ts'
import { lockedAgainstDeletion } from '../../store/tables/row-locks.ts'
import {
  type DeliveryCreate,
  deliveryCountKey,
  insertDeliveries,
} from '../../store/tables/webhooks/deliveries.ts'
import {
  findLeased,
  type Lease,
  leaseDeliveries,
  releaseDelivery,
  saveAttempt,
} from '../../store/tables/webhooks/delivery-leases.ts'
import {
  deleteRange,
  endRangeLease,
  insertRange,
  listRangeEvents,
  lockFreeRanges,
  moveRange,
  type RangeEvent,
} from '../../store/tables/webhooks/delivery-ranges.ts'
import { loadPayload } from '../../store/tables/webhooks/events.ts'
import { findSubscription, type SubscriptionRecord } from '../../store/tables/webhooks/subscriptions.ts'
import type { TimedReadContext, UnitOfWork } from '../context.ts'
import { trimDelivered } from './delivery-upkeep.ts'
import { saveSubscription } from './subscriptions.ts'

export type Attempt = {
  scopeId: number
  partnerName: string
  subscriptionId: string
  id: string
  eventId: string
  eventType: WebhookEventType
  /** The event's place in the log; null for a sample. */
  seq: number | null
  url: string
  /** Newest first; two during a rotation's grace period. */
  secrets: readonly string[]
  payload: string
  /** The `traceparent` of the request that wrote the event. */
  trace: string | null
  /** By the scope's clock. */
  startedAt: string
  number: number
}

export type LeasedBatch = {
  scopeId: number
  subscriptionId: string
  rangeId: string
  lease: Lease
  /** In log order. */
  attempts: Attempt[]
}

export type SettledAttempt = { attempt: Attempt; result: AttemptResult }
/** Attempts of a batch that were started; the others are still to be sent. */
type EndedBatch = {
  settled: readonly SettledAttempt[]
  /** They run until the lease ends. */
  underWay: readonly Attempt[]
  putBack: readonly Attempt[]
}
/** `lost`: the lease had expired or the delivery is gone. */
export type Verdict = 'delivered' | 'retry' | 'dead' | 'lost'

const rangesAtOnce = 20
/** Payload bytes that a worker holds per subscription; at least one event. */
const batchBytesMax = 256 * 1024

/** Up to `limit` deliveries with a row, then a batch of up to `events` from the log. None if inactive or paused. */
export async function leaseAttempts(
  view: TimedReadContext,
  subscriptionId: string,
  lease: Lease,
  { limit, events }: { limit: number; events: number },
): Promise<{ attempts: Attempt[]; batch: LeasedBatch | undefined }> {
  const { tx, now } = view
  const record = await findSubscription(tx, subscriptionId, lockedAgainstDeletion(tx))
  if (!record?.subscription.active || (record.paused_until ?? '') > now)
    return { attempts: [], batch: undefined }
  const toBegin = attemptOf(view, record)
  const attempts: Attempt[] = []
  for (const row of await leaseDeliveries(tx, subscriptionId, lease, now, limit)) {
    // A sample has its payload in its own row.
    const { payload, trace } = row.seq === null ? { ...row, trace: null } : await loadPayload(tx, row.seq)
    attempts.push(toBegin({ ...row, type: row.event_type, payload: payload as string, trace }))
  }
  const hasRoom = attempts.length < limit
  return { attempts, batch: hasRoom ? await leaseBatch(view, record, lease, events) : undefined }
}

/** Splits the start of a range off as a leased range of its own. */
async function leaseBatch(
  view: TimedReadContext,
  record: SubscriptionRecord,
  lease: Lease,
  limit: number,
): Promise<LeasedBatch | undefined> {
  const { tx, scope, now, sources } = view
  const { id: subscriptionId } = record.subscription
  for (const range of await lockFreeRanges(tx, subscriptionId, lease, rangesAtOnce)) {
    const events = withinBytes(await listRangeEvents(tx, range, limit))
    const last = events.at(-1)
    if (!last) {
      if (!range.is_open) await deleteRange(tx, range)
      continue
    }
    const attempts = events.map((event) =>
      attemptOf(view, record)({ ...event, id: event.delivery_id, event_id: event.id, attempts: 0 }),
    )
    const isAfter = (events[0] as RangeEvent).seq > range.after && last.seq <= range.end
    assert(isAfter, 'a batch is within its range', subscriptionId, range.after, last.seq, range.end)
    const rangeId = v7({ msecs: Date.parse(now), random: sources.random(16) })
    if (!range.is_open && range.end === last.seq) await deleteRange(tx, range)
    else await moveRange(tx, range, last.seq)
    await insertRange(tx, { ...range, id: rangeId, end: last.seq }, lease)
    return { scopeId: scope.id, subscriptionId, rangeId, lease, attempts }
  }
  return undefined
}

function withinBytes(events: readonly RangeEvent[]): readonly RangeEvent[] {
  let bytes = 0
  const end = events.findIndex(({ payload }, at) => {
    bytes += payload.length
    return at > 0 && bytes > batchBytesMax
  })
  return end === -1 ? events : events.slice(0, end)
}

function attemptOf({ scope, now }: TimedReadContext, record: SubscriptionRecord) {
  return (
    due: Pick<DeliveryCreate, 'id' | 'event_id' | 'seq' | 'attempts'> & {
      type: WebhookEventType
      payload: string
      trace: string | null
    },
  ): Attempt => ({
    scopeId: scope.id,
    partnerName: scope.partner_name,
    subscriptionId: record.subscription.id,
    id: due.id,
    eventId: due.event_id,
    eventType: due.type,
    seq: due.seq,
    url: record.subscription.url,
    secrets: secretsAt(record, now),
    payload: due.payload,
    trace: due.trace,
    startedAt: now,
    number: due.attempts + 1,
  })
}

/** Also updates counters and the subscription's health. */
export async function settleAttempt(
  work: UnitOfWork,
  owner: string,
  { attempt, result }: SettledAttempt,
): Promise<Verdict> {
  const { tx, now } = work
  const { subscriptionId, id } = attempt
  const record = await findSubscription(tx, subscriptionId)
  const leased = await findLeased(tx, attempt, owner)
  if (!record || !leased) return 'lost'
  if (isOfOldAddress(record, { attempt, result })) {
    await releaseDelivery(tx, attempt, owner)
    return 'retry'
  }
  const made = leased.attempts - leased.earlier_attempts + 1
  assert(made > 0, 'attempts are counted from 1', subscriptionId, id, made)
  const outcome = outcomeOf(result, made, now, chance(work))
  await saveAttempt(tx, attempt, outcome, attempt.startedAt)
  await saveHealth(work, record, [result])
  if (outcome.status === 'pending') return 'retry'
  work.count('deliveries', deliveryCountKey(subscriptionId, 'pending'), -1)
  work.count('deliveries', deliveryCountKey(subscriptionId, outcome.status), 1)
  return outcome.status
}

/** Settled and running attempts get rows; the rest waits in the log again. Returns a verdict per settled attempt. */
export async function settleBatch(
  work: UnitOfWork,
  { subscriptionId, rangeId, lease, attempts }: LeasedBatch,
  { settled, underWay, putBack }: EndedBatch,
): Promise<Verdict[]> {
  const { tx, now } = work
  const begun = settled.length + underWay.length + putBack.length
  assert(begun <= attempts.length, 'no more is settled than was leased', subscriptionId, rangeId, begun)
  const next = attempts[begun]
  const rest = next ? (next.seq as number) - 1 : null
  const isHeld = await endRangeLease(tx, { subscriptionId, id: rangeId }, lease.owner, rest)
  const record = await findSubscription(tx, subscriptionId)
  if (!isHeld || !record) return settled.map(() => 'lost')
  const waits = { status: 'pending', response_code: null, last_error: null } as const
  const waiting = (attempt: Attempt) => ({ ...rowOf(attempt), ...waits, next_attempt_at: attempt.startedAt })
  const rows = [
    ...settled.map((one) => {
      const { attempt, result } = one
      if (isOfOldAddress(record, one)) return waiting(attempt)
      const outcome = outcomeOf(result, 1, now, chance(work))
      return { ...rowOf(attempt), ...outcome, attempts: 1, last_attempt_at: attempt.startedAt }
    }),
    ...underWay.map((attempt) => {
      return { ...waiting(attempt), lease_owner: lease.owner, lease_until: lease.until }
    }),
    ...putBack.map(waiting),
  ]
  assert(rows.length === begun, 'each attempt of a batch gets a row', subscriptionId, rangeId)
  await insertDeliveries(tx, rows)
  for (const { status } of rows) work.count('deliveries', deliveryCountKey(subscriptionId, status), 1)
  await trimDelivered(work, subscriptionId, rows.filter(({ status }) => status === 'delivered').length)
  await saveHealth(
    work,
    record,
    settled.filter((one) => !isOfOldAddress(record, one)).map(({ result }) => result),
  )
  return rows.slice(0, settled.length).map(({ status }) => (status === 'pending' ? 'retry' : status))
}

/** A failure at a former address says nothing about the current one, which gets the delivery at once. */
function isOfOldAddress({ subscription }: SubscriptionRecord, { attempt, result }: SettledAttempt): boolean {
  return attempt.url !== subscription.url && !isSuccess(result)
}

/** Whether a leased batch is still valid: the subscription is active, with the same address and secret. */
export async function isSentSo(tx: Tx, { scopeId, subscriptionId, attempts }: LeasedBatch): Promise<boolean> {
  const record = await findSubscription(inScope(tx, scopeId), subscriptionId)
  const [leased] = attempts
  if (!record?.subscription.active) return false
  return record.subscription.url === leased?.url && record.secret === leased.secrets[0]
}

async function saveHealth(
  work: UnitOfWork,
  record: SubscriptionRecord,
  results: readonly AttemptResult[],
): Promise<void> {
  const { subscription, failing_since, paused_until } = record
  const before: Health = { active: subscription.active, failing_since, paused_until }
  const after = results.reduce((health, result) => healthAfter(health, result, work.now), before)
  if (isDeepStrictEqual(before, after)) return
  const { active, ...facts } = after
  await saveSubscription(work, subscription, {
    ...record,
    ...facts,
    subscription: { ...subscription, active },
  })
}

function rowOf(attempt: Attempt) {
  return {
    subscription_id: attempt.subscriptionId,
    id: attempt.id,
    event_id: attempt.eventId,
    event_type: attempt.eventType,
    seq: attempt.seq,
    attempts: 0,
    last_attempt_at: null,
    created_at: timeOfUuid(attempt.id),
  }
}

function secretsAt(record: SubscriptionRecord, now: string): string[] {
  const { secret, previous_secret, previous_until } = record
  return (previous_until ?? '') > now ? [secret, previous_secret as string] : [secret]
}

function chance(work: UnitOfWork): number {
  return Buffer.from(work.random(4)).readUInt32BE() / 2 ** 32
}
