import { type WebhookEventType, webhookEvents, webhookEventTypes } from '../../enums.ts'
import { deliveryRangesMax, failingDaysMax, graceSecondsMax } from '../../limits.ts'
import type { eventOperations } from '../../operations/events.ts'
import * as event from '../../resources/event.ts'
import { deliveryStatus, webhookEventType } from '../../vocabulary.ts'
import {
  type DescribedOperations,
  type LinkProse,
  link,
  object,
  oneOf,
  type SchemaProse,
  words,
} from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { ids } from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

/** As in `ItemIntakeCompletedEvent`. */
export function eventName(type: string): string {
  const names = type.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  return `${names.join('')}Event`
}

function describedEvent(type: WebhookEventType): [string, SchemaProse] {
  const prose: SchemaProse = {
    schema: event.webhookEventSchemas()[type],
    description: `Sent when ${webhookEvents[type].means}.`,
    fields: {
      id: 'Identifies the event. Store it, and ignore events whose id you have already seen.',
      created_at: 'When the event happened.',
      type: `Always \`${type}\`.`,
      data: 'The resource that the event is about, as it was right after the event.',
    },
    examples: [example.events[type]],
  }
  return [eventName(type), prose]
}

const endpoint = {
  url: 'The https URL (RFC 3986) to post events to, at a public address. Redirects are not followed.',
  event_types: 'The types of events to post.',
  active: 'Whether events are posted.',
}

const subscriptionWords = {
  ...endpoint,
  id: 'Identifies the subscription.',
  created_at: 'When the subscription was created.',
}

const meanings = Object.fromEntries(
  webhookEventTypes.map((type) => [type, webhookEvents[type].means]),
) as Record<WebhookEventType, string>

const { delivery, subscription, secret } = example
const withSecret = { ...subscription, secret }
const newSubscription = { url: subscription.url, event_types: subscription.event_types }
const page = {
  has_more: false,
  next_starting_after: ids.event,
  results: [example.events['item.intake.completed']],
}

export const eventSchemas: Record<string, SchemaProse> = {
  ...Object.fromEntries(webhookEventTypes.map(describedEvent)),
  WebhookEventType: words(webhookEventType(), 'The type of an event. Each is sent when:', meanings),
  WebhookEvent: oneOf(
    event.webhookEvent(),
    'An event. `type` determines the schema of `data`. The event is byte for byte the same in `GET /events` and in a webhook.',
    example.events['item.intake.completed'],
  ),
  EventPage: object(
    event.eventPage(),
    'A page of events, in the order in which they happened.',
    {
      has_more: 'Whether more events follow this page.',
      next_starting_after:
        'The cursor of the next page: the id of the last event on this page; null if the page is empty.',
      results: 'The events on this page.',
    },
    { ...page, has_more: true },
  ),
  WebhookSubscription: object(
    event.subscription(),
    'A webhook subscription, which posts events to a URL.',
    subscriptionWords,
    subscription,
  ),
  WebhookSubscriptionWithSecret: object(
    event.subscriptionWithSecret(),
    'A subscription with its secret, which is shown only once.',
    { ...subscriptionWords, secret: 'The signing key: `whsec_` followed by base64. Store it safely.' },
    withSecret,
  ),
  WebhookSubscriptionCreate: object(
    event.subscriptionCreate(),
    'A subscription to create.',
    endpoint,
    newSubscription,
    { url: subscription.url, event_types: ['transfer.completed'], active: false },
  ),
  WebhookSubscriptionUpdate: object(
    event.subscriptionUpdate(),
    'The fields to change. Omitted fields stay unchanged.',
    endpoint,
    { active: true },
    { url: 'https://hooks.partner.example/v2', event_types: ['transfer.completed'] },
  ),
  WebhookSubscriptionPage: describedPage(event.subscription(), 'webhook-subscriptions', subscription),
  SecretRotation: object(
    event.rotateSecret(),
    'Options for replacing a secret.',
    {
      grace_seconds: `Seconds for which events are also signed with the old secret, at most ${graceSecondsMax / 86_400} days.`,
    },
    { grace_seconds: 3600 },
  ),
  DeliveryStatus: words(deliveryStatus(), 'The status of a delivery.', {
    pending: 'queued; the next attempt is at `next_attempt_at`',
    delivered: 'the receiver responded with 2xx',
    dead: 'abandoned; it is not retried automatically',
  }),
  Delivery: object(
    event.delivery(),
    'The delivery of one event to one subscription.',
    {
      id: 'Identifies the delivery.',
      event_id: 'The id of the event.',
      event_type: 'The type of the event.',
      status: 'The status of the delivery.',
      attempts: 'The number of attempts so far.',
      response_code: 'The HTTP status of the last response; null if the receiver did not respond.',
      last_error: 'Why the last attempt failed.',
      last_attempt_at: 'When the last attempt was made.',
      next_attempt_at: 'When the next attempt is due; null if there will be none.',
      created_at: 'When the delivery was queued.',
    },
    delivery,
  ),
  DeliveryPage: describedPage(event.delivery(), 'deliveries', delivery),
  ReplayRequest: object(
    event.replayRequest(),
    'Where a replay starts. Give one of the two fields.',
    {
      starting_after: 'The id of the event to start after.',
      since: 'The time to start from.',
    },
    { since: '2026-03-06T00:00:00.000Z' },
    { starting_after: ids.earlierEvent },
  ),
  Replay: object(
    event.replayed(),
    'The result of a replay request.',
    { queued: 'The number of events queued again.' },
    { queued: 42 },
  ),
}

const toOutcome: LinkProse[] = [
  link('listDeliveries', { subscription_id: '$request.path.subscription_id' }, 'See the outcome.'),
]
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
    answer: page,
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
    requests: { 'Arrivals and fulfillments': newSubscription },
    answer: withSecret,
    links: toSubscription(),
  },
  getSubscription: {
    description: 'Returns a webhook subscription, without its secret.',
    answer: subscription,
  },
  updateSubscription: {
    description: `Updates a webhook subscription. Omitted fields stay unchanged. Use it to reactivate a subscription that was deactivated by a 410 or after ${failingDaysMax} days without a successful delivery. An event is sent if its type was subscribed to when it happened. If deliveries from before the last ${deliveryRangesMax} changes and replays are still waiting, changing types or reactivating returns 429 (\`waiting_stretches\`).`,
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
    answer: withSecret,
  },
  testSubscription: {
    description:
      'Queues a complete, valid, and signed sample event about an item that does not exist. The event does not appear in the event log.',
    answer: { ...delivery, attempts: 0, response_code: null, last_error: null, last_attempt_at: null },
    conflict: inactive,
    links: toOutcome,
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
    links: toOutcome,
  },
}
