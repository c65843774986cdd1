import type { eventOperations } from '../../operations/events.ts'
import * as example from '../telling/examples.ts'
import { ids } from '../telling/examples.ts'
import { link, type ToldLink, type ToldOperations } from '../telling/told.ts'

const { delivery, subscription, secret } = example
const inactive = {
  message: 'This subscription is not active; make it active first.',
  extra: { active: false },
}

function toSubscription(): ToldLink[] {
  const params = { subscription_id: '$response.body#/id' }
  return [
    link('getSubscription', params, 'The subscription.'),
    link('testSubscription', params, 'Posts a signed sample event to it.'),
    link('listDeliveries', params, 'What became of its deliveries.'),
  ]
}

export const toldEvents: ToldOperations<keyof typeof eventOperations> = {
  listEvents: {
    description:
      'Reads the log of events in the order in which they happened. Keep `next_starting_after` and send it as `starting_after`: whatever is written at the same time, no event is missed and each comes once. With `Prefer: wait=30` an empty page waits for the next event.',
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
    description: 'Lists webhook subscriptions, the newest first, without their secrets.',
    answer: subscription,
  },
  createSubscription: {
    description:
      'Makes a subscription: events of its types that happen from now on are posted to its address, signed with its secret. The secret is in this answer and never shown again.',
    requests: {
      'Arrivals and shipments': { url: subscription.url, event_types: subscription.event_types },
    },
    answer: { ...subscription, secret },
    links: toSubscription(),
  },
  getSubscription: { description: 'Gives a webhook subscription, without its secret.', answer: subscription },
  updateSubscription: {
    description:
      'Changes a webhook subscription; what is left out stays. One that was deactivated, because its receiver answered 410 or nothing good for five days, is made active again like this. Events keep to the types that were wanted when they happened; while deliveries of before 50 changes and replays wait, other types and switching on are a 429 (`waiting_stretches`).',
    requests: { 'Switched on again': { active: true } },
    answer: subscription,
  },
  deleteSubscription: {
    description: 'Deletes a webhook subscription. Nothing more is posted to its address.',
  },
  rotateSubscriptionSecret: {
    description:
      'Makes a new secret. The old one signs beside it for a grace of a day, or as long as is asked, so that a receiver can change in its own time.',
    requests: { 'With an hour of grace': { grace_seconds: 3600 } },
    answer: { ...subscription, secret },
  },
  testSubscription: {
    description:
      'Queues a sample event for the address: whole, valid and signed, about an item that does not exist. It is in no log.',
    answer: { ...delivery, attempts: 0, response_code: null, last_error: null, last_attempt_at: null },
    conflict: inactive,
    links: [
      link('listDeliveries', { subscription_id: '$request.path.subscription_id' }, 'What became of it.'),
    ],
  },
  listDeliveries: {
    description:
      'Lists the deliveries of a subscription, the newest first: how often each was tried and what came of it.',
    answer: delivery,
  },
  redeliver: {
    description: 'Queues a delivery again that is over, delivered or dead.',
    answer: { ...delivery, status: 'pending' },
    conflict: { message: 'This delivery is queued already.', extra: { status: 'pending' } },
  },
  replaySubscription: {
    description:
      'Queues past events again: those after an event, or from a time on. A replay while another runs starts at the earlier of both. While deliveries of before 50 changes and replays wait, it is a 429 (`waiting_stretches`).',
    requests: { 'From a day on': { since: '2026-03-06T00:00:00.000Z' } },
    answer: { queued: 42 },
    conflict: inactive,
    links: [
      link('listDeliveries', { subscription_id: '$request.path.subscription_id' }, 'What became of them.'),
    ],
  },
}
