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
    link('getSubscription', params, 'Get the subscription.'),
    link('testSubscription', params, 'Send it a signed sample event.'),
    link('listDeliveries', params, 'List its deliveries.'),
  ]
}

export const eventsProse: DescribedOperations<keyof typeof eventOperations> = {
  listEvents: {
    description:
      'Returns events in the order in which they happened. Save `next_starting_after` and send it as `starting_after` to get every event exactly once, even while new events are being written. With `Prefer: wait=30`, a request that finds no event waits for the next one.',
    answer: {
      has_more: false,
      next_starting_after: ids.event,
      results: [example.events['item.intake.completed']],
    },
    links: [
      link(
        'listEvents',
        { starting_after: '$response.body#/next_starting_after' },
        'Get the next page of events.',
      ),
    ],
  },
  listSubscriptions: {
    description: 'Lists webhook subscriptions, newest first, without their secrets.',
    answer: subscription,
  },
  createSubscription: {
    description:
      'Creates a webhook subscription. From then on, events of its types are posted to its URL, signed with its secret. Only this response shows the secret.',
    requests: {
      'Arrivals and fulfillments': { url: subscription.url, event_types: subscription.event_types },
    },
    answer: { ...subscription, secret },
    links: toSubscription(),
  },
  getSubscription: {
    description: 'Returns a webhook subscription, without its secret.',
    answer: subscription,
  },
  updateSubscription: {
    description: `Updates a webhook subscription. Omitted fields stay unchanged. Use it to reactivate a subscription that was deactivated by a 410 or after five days without a successful delivery. An event is sent if its type was subscribed to when it happened. If deliveries from before the last ${deliveryRangesMax} changes and replays are still waiting, changing types or reactivating returns 429 (\`waiting_stretches\`).`,
    requests: { Reactivate: { active: true } },
    answer: subscription,
  },
  deleteSubscription: {
    description: 'Deletes a webhook subscription. Nothing more is posted to its URL.',
  },
  rotateSubscriptionSecret: {
    description:
      'Creates a new secret. For a day, or for `grace_seconds`, events are also signed with the old one, so you have time to update the receiver.',
    requests: { 'Keep signing with the old secret for an hour': { grace_seconds: 3600 } },
    answer: { ...subscription, secret },
  },
  testSubscription: {
    description:
      'Queues a complete, valid, and signed sample event about an item that does not exist. The event does not appear in the event log.',
    answer: { ...delivery, attempts: 0, response_code: null, last_error: null, last_attempt_at: null },
    conflict: inactive,
    links: [link('listDeliveries', { subscription_id: '$request.path.subscription_id' }, 'See the outcome.')],
  },
  listDeliveries: {
    description: 'Lists the deliveries of a subscription, newest first, with their attempts and outcomes.',
    answer: delivery,
  },
  redeliver: {
    description: 'Queues a delivered or dead delivery again.',
    answer: { ...delivery, status: 'pending' },
    conflict: { message: 'This delivery is already queued.', extra: { status: 'pending' } },
  },
  replaySubscription: {
    description: `Queues past events again, starting after an event or at a time. A replay requested while another one is running starts at the earlier of the two starting points. If deliveries from before the last ${deliveryRangesMax} changes and replays are still waiting, a replay returns 429 (\`waiting_stretches\`).`,
    requests: { 'All events since a given time': { since: '2026-03-06T00:00:00.000Z' } },
    answer: { queued: 42 },
    conflict: inactive,
    links: [link('listDeliveries', { subscription_id: '$request.path.subscription_id' }, 'See the outcome.')],
  },
}
