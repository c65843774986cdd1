import type { Delivering } from '../receivers.ts'
import type { Done } from '../run.ts'
import { count, goodIssue, isGood, ofPartners, overlap, type Seen, type States } from './seen.ts'

const hasCome = ({ how }: Delivering): boolean => how === 'received' || how === 'answer lost'

/** Rare states of subscriptions, their deliveries, and the workers that share them. */
export const statesOfWebhooks = {
  'a lease expired while its batch was in flight': ofSame(
    (a, b) => a.process !== b.process && overlap(a, b) && a.ended < Number.POSITIVE_INFINITY,
  ),
  'a worker died with a webhook on its way, and another sent it again': ofSame(
    (a, b) =>
      a.ended === Number.POSITIVE_INFINITY && !a.process.isAlive && hasCome(b) && a.process !== b.process,
  ),
  'a webhook was received, its answer lost, and it was received again': ofSame(
    (a, b) => a.how === 'answer lost' && hasCome(b),
  ),
  'a webhook was received only at the fifth attempt': ({ delivering }) =>
    count(delivering, (one) => hasCome(one) && one.attempt.number >= 5),
  'a secret was rotated while a webhook was on its way': onItsWay('rotateSubscriptionSecret'),
  'a webhook was signed with both secrets of a rotation': ({ delivering }) =>
    count(delivering, (one) => hasCome(one) && one.attempt.secrets.length > 1),
  'a subscription was deleted while a webhook was on its way': onItsWay('deleteSubscription'),
  'an address was changed while a webhook was on its way to the old one': onItsWay(
    'updateSubscription',
    ({ act }, { attempt }) =>
      act.id === 'updateSubscription' &&
      act.request.body.url !== undefined &&
      act.request.body.url !== attempt.url,
  ),
  'a subscription was switched off while a webhook was on its way': onItsWay(
    'updateSubscription',
    ({ act }) => act.id === 'updateSubscription' && act.request.body.active === false,
  ),
  'a replay was asked for while a webhook was on its way': onItsWay('replaySubscription'),
  'a webhook was rejected eight times': ({ delivering }) =>
    count(delivering, ({ attempt, how }) => attempt.number >= 8 && how === 'refused'),
  'a subscription was given up after days of failures': ofPartners(({ final, done }) =>
    count(
      final.subscriptions,
      ({ id, active }) =>
        !active &&
        !done.some(
          ({ act }) =>
            act.id === 'updateSubscription' &&
            act.request.params.subscription_id === id &&
            act.request.body.active === false,
        ),
    ),
  ),
  'a delivery was sent again by hand, and came': ({ partners, delivering }) =>
    count(asked(partners, 'redeliver'), (one) => {
      const good = goodIssue(one)
      if (one.act.id !== 'redeliver' || !good?.text) return false
      const { delivery_id: id } = one.act.request.params
      return delivering.some((each) => each.attempt.id === id && each.begun > good.begun && hasCome(each))
    }),
  'a sample was sent to a receiver that rejected it': ({ delivering }) =>
    count(delivering, ({ attempt, how }) => attempt.seq === null && how === 'refused'),
  'webhooks came in another order than their events': ({ delivering }) => {
    const latest = new Map<string, number>()
    return count(delivering.filter(hasCome), ({ attempt: { seq, subscriptionId } }) => {
      const before = latest.get(subscriptionId) ?? 0
      latest.set(subscriptionId, Math.max(before, seq ?? 0))
      return seq !== null && seq < before
    })
  },
  'a receiver was too slow, and took the webhook later': ofSame((a, b) => a.how === 'too late' && hasCome(b)),
  'a receiver came back to more than fifty webhooks that had failed': ({ delivering }) => {
    const late = delivering.filter((one) => hasCome(one) && one.attempt.number >= 3)
    const bySubscription = Map.groupBy(late, ({ attempt }) => attempt.subscriptionId)
    return count(bySubscription.values(), (all) => all.length > 50)
  },
  'workers of two services sent to one subscription at once': ({ delivering }) =>
    count(delivering, (one, at, all) =>
      all
        .slice(at + 1, at + 30)
        .some(
          (other) =>
            other.attempt.subscriptionId === one.attempt.subscriptionId &&
            other.process !== one.process &&
            overlap(one, other),
        ),
    ),
  'all machines slept while a webhook was on its way': ({ delivering, incidentsOf }) =>
    count(incidentsOf('sleep'), ({ step }) =>
      delivering.some(({ begun, ended }) => begun < step && step < ended && ended < Number.POSITIVE_INFINITY),
    ),
} as const satisfies States

/** Two attempts of one event to one subscription, the earlier one first. */
function ofSame(is: (a: Delivering, b: Delivering) => boolean) {
  return ({ delivering }: Seen): number => {
    const all = Map.groupBy(delivering, ({ attempt }) => `${attempt.subscriptionId} ${attempt.eventId}`)
    return count(all.values(), (each) => each.some((a, at) => each.slice(at + 1).some((b) => is(a, b))))
  }
}

function asked(partners: Seen['partners'], id: Done['act']['id']): Done[] {
  return partners.flatMap(({ done }) => done.filter((one) => one.act.id === id && !one.isStrange))
}

/** What was done with a subscription during a delivery attempt. */
function onItsWay(
  id: 'rotateSubscriptionSecret' | 'deleteSubscription' | 'updateSubscription' | 'replaySubscription',
  is = (_done: Done, _one: Delivering): boolean => true,
) {
  return ({ partners, delivering }: Seen): number =>
    count(asked(partners, id), (one) => {
      const { subscription_id } = (one.act.request as { params: { subscription_id: string } }).params
      const issues = one.issues.filter(({ status }) => isGood(status))
      return delivering.some(
        (each) =>
          each.attempt.subscriptionId === subscription_id &&
          issues.some((issue) => overlap(issue, each)) &&
          each.ended < Number.POSITIVE_INFINITY &&
          is(one, each),
      )
    })
}
