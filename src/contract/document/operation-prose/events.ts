import { deliveryRangesMax } from '../../limits.ts'
import type { eventOperations } from '../../operations/events.ts'
import { type DescribedOperations, type LinkProse, link } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { ids } from '../examples/examples.ts'

const { delivery, subscription, secret } = example
const inactive = {
  message: 'This subscription is not active; activate it first.',
  extra: { active: false },
}

function toSubscription(): LinkProse[] {
  const params = { subscription_id: '$response.body#/id' }
  return [
    link('getSubscription', params, 'The subscription.'),
    link('testSubscription', params, 'Sends it a signed sample event.'),
    link('listDeliveries', params, 'Its deliveries.'),
  ]
}

export const eventsProse: DescribedOperations<keyof typeof eventOperations> = {
  listEvents: {
    description:
      'Reads the event log in order. Save `next_starting_after` and send it as `starting_after`: you miss no event and get each one once, whatever is written meanwhile. With `Prefer: wait=30` an empty page waits for the next event.',
    answer: {
      has_more: false,
      next_starting_after: ids.event,
      results: [example.events['item.intake.completed']],
    },
    links: [
      link(
        'listEvents',
        { starting_after: '$response.body#/next_starting_after' },
        'The events after these.',
      ),
    ],
  },
  listSubscriptions: {
    description: 'Lists webhook subscriptions, newest first, without their secrets.',
    answer: subscription,
  },
  createSubscription: {
    description:
      'Creates a subscription: from now on, events of its types are posted to its address, signed with its secret. This answer is the only one that shows the secret.',
    requests: {
      'Arrivals and shipments': { url: subscription.url, event_types: subscription.event_types },
    },
    answer: { ...subscription, secret },
    links: toSubscription(),
  },
  getSubscription: {
    description: 'Returns a webhook subscription, without its secret.',
    answer: subscription,
  },
  updateSubscription: {
    description: `Changes a webhook subscription; omitted fields stay as they are. Use it to reactivate a subscription that was deactivated by a 410 or by five days without success. An event is sent by the types in force when it happened; while deliveries from before ${deliveryRangesMax} changes and replays wait, changing types and reactivating are a 429 (\`waiting_stretches\`).`,
    requests: { 'Switched on again': { active: true } },
    answer: subscription,
  },
  deleteSubscription: {
    description: 'Deletes a webhook subscription. Nothing more is posted to its address.',
  },
  rotateSubscriptionSecret: {
    description:
      'Creates a new secret. The old one also signs for a day, or as long as you ask, so the receiver can switch in its own time.',
    requests: { 'With an hour of grace': { grace_seconds: 3600 } },
    answer: { ...subscription, secret },
  },
  testSubscription: {
    description:
      'Queues a sample event: complete, valid, signed, and about an item that does not exist. It is not in the event log.',
    answer: { ...delivery, attempts: 0, response_code: null, last_error: null, last_attempt_at: null },
    conflict: inactive,
    links: [link('listDeliveries', { subscription_id: '$request.path.subscription_id' }, 'Its outcome.')],
  },
  listDeliveries: {
    description: 'Lists the deliveries of a subscription, newest first, with their attempts and outcomes.',
    answer: delivery,
  },
  redeliver: {
    description: 'Queues a delivered or dead delivery again.',
    answer: { ...delivery, status: 'pending' },
    conflict: { message: 'This delivery is queued already.', extra: { status: 'pending' } },
  },
  replaySubscription: {
    description: `Queues past events again: those after an event, or since a time. A replay during another one starts at the earlier of the two. While deliveries from before ${deliveryRangesMax} changes and replays wait, it is a 429 (\`waiting_stretches\`).`,
    requests: { 'Since a day': { since: '2026-03-06T00:00:00.000Z' } },
    answer: { queued: 42 },
    conflict: inactive,
    links: [link('listDeliveries', { subscription_id: '$request.path.subscription_id' }, 'Their outcome.')],
  },
}
