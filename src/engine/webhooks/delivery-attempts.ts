import {
  type AttemptResult,
  type Health,
  healthAfter,
  outcomeOf,
} from '../../domain/webhooks/webhook-attempt.ts'
import { findLeased, type Lease, leaseDeliveries, saveAttempt } from '../../store/tables/delivery-leases.ts'
import { findPayload } from '../../store/tables/events.ts'
import { findSubscription, type SubscriptionRecord } from '../../store/tables/subscriptions.ts'
import type { TimedReadContext, UnitOfWork } from '../context.ts'
import { deliveryCountKey } from '../outbox.ts'
import { saveSubscription } from './subscriptions.ts'

/** A delivery to be attempted now, with all that the attempt needs. */
export type Attempt = {
  scopeId: number
  partnerName: string
  subscriptionId: string
  id: string
  eventId: string
  url: string
  /** The newest first; two while a rotation's grace runs. */
  secrets: readonly string[]
  /** The event's exact bytes. */
  payload: string
  /** By the scope's clock. */
  startedAt: string
  /** Which attempt of this delivery it is, from 1. */
  number: number
}

export type SettledAttempt = { attempt: Attempt; result: AttemptResult }
/** What became of an attempt: `lost` where its lease had run out or the delivery is gone. */
export type Verdict = 'delivered' | 'retry' | 'dead' | 'lost'

/** Leases what is due of a subscription, at most `limit`; none where it is not active or asked to be left alone. */
export async function leaseAttempts(
  view: TimedReadContext,
  subscriptionId: string,
  lease: Lease,
  limit: number,
): Promise<Attempt[]> {
  const { tx, scope, now } = view
  const record = await findSubscription(tx, scope.id, subscriptionId)
  if (!record?.subscription.active) return []
  if (record.paused_until !== null && record.paused_until > now) return []
  const attempts: Attempt[] = []
  for (const row of await leaseDeliveries(tx, scope.id, subscriptionId, lease, now, limit)) {
    const payload = row.seq === null ? row.payload : await findPayload(tx, scope.id, row.seq)
    attempts.push({
      scopeId: scope.id,
      partnerName: scope.partner_name,
      subscriptionId,
      id: row.id,
      eventId: row.event_id,
      url: record.subscription.url,
      secrets: secretsAt(record, now),
      payload: payload ?? '',
      startedAt: now,
      number: row.attempts + 1,
    })
  }
  return attempts
}

/** Records attempts that have ended, in their order: deliveries, kept counts, the health of their subscriptions. */
export async function settleAttempts(
  work: UnitOfWork,
  owner: string,
  settled: readonly SettledAttempt[],
): Promise<Verdict[]> {
  const records = new Map<string, SubscriptionRecord | undefined>()
  const verdicts: Verdict[] = []
  for (const one of settled) {
    const id = one.attempt.subscriptionId
    const record = records.has(id) ? records.get(id) : await findSubscription(work.tx, work.scope.id, id)
    const verdict = record ? await settle(work, owner, one) : 'lost'
    const isKept = record && verdict !== 'lost'
    records.set(id, isKept ? await saveHealth(work, record, one.result) : record)
    verdicts.push(verdict)
  }
  return verdicts
}

async function settle(
  work: UnitOfWork,
  owner: string,
  { attempt, result }: SettledAttempt,
): Promise<Verdict> {
  const { tx, scope, now } = work
  const { subscriptionId, id } = attempt
  const leased = await findLeased(tx, scope.id, subscriptionId, id, owner)
  if (!leased) return 'lost'
  const made = leased.attempts - leased.earlier_attempts + 1
  const outcome = outcomeOf(result, made, now, chance(work))
  await saveAttempt(tx, scope.id, subscriptionId, id, outcome, attempt.startedAt)
  if (outcome.status === 'pending') return 'retry'
  work.count('deliveries', deliveryCountKey(subscriptionId, 'pending'), -1)
  work.count('deliveries', deliveryCountKey(subscriptionId, outcome.status), 1)
  return outcome.status
}

async function saveHealth(
  work: UnitOfWork,
  record: SubscriptionRecord,
  result: AttemptResult,
): Promise<SubscriptionRecord> {
  const { active } = record.subscription
  const before: Health = {
    active,
    failing_since: record.failing_since,
    paused_until: record.paused_until,
  }
  const after = healthAfter(before, result, work.now)
  if (isSame(before, after)) return record
  const { active: stillActive, ...facts } = after
  const saved = { ...record, ...facts, subscription: { ...record.subscription, active: stillActive } }
  await saveSubscription(work, saved, active)
  return saved
}

function isSame(a: Health, b: Health): boolean {
  return a.active === b.active && a.failing_since === b.failing_since && a.paused_until === b.paused_until
}

function secretsAt(record: SubscriptionRecord, now: string): string[] {
  const { secret, previous_secret, previous_until } = record
  const isInGrace = previous_secret !== null && previous_until !== null && previous_until > now
  return isInGrace ? [secret, previous_secret] : [secret]
}

/** A number in [0, 1). */
function chance(work: UnitOfWork): number {
  const [a = 0, b = 0, c = 0, d = 0] = work.random(4)
  return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32
}
