import { type WebhookEventType, webhookEvents, webhookEventTypes } from '../../enums.ts'
import { graceSecondsMax } from '../../limits.ts'
import * as event from '../../resources/event.ts'
import { deliveryStatus, webhookEventType } from '../../vocabulary.ts'
import { object, oneOf, type SchemaProse, words } from '../examples/described.ts'
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

const subscription = {
  ...endpoint,
  id: 'Identifies the subscription.',
  created_at: 'When the subscription was created.',
}

const meanings = Object.fromEntries(
  webhookEventTypes.map((type) => [type, webhookEvents[type].means]),
) as Record<WebhookEventType, string>

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
    {
      has_more: true,
      next_starting_after: ids.event,
      results: [example.events['item.intake.completed']],
    },
  ),
  WebhookSubscription: object(
    event.subscription(),
    'A webhook subscription, which posts events to a URL.',
    subscription,
    example.subscription,
  ),
  WebhookSubscriptionWithSecret: object(
    event.subscriptionWithSecret(),
    'A subscription with its secret, which is shown only once.',
    { ...subscription, secret: 'The signing key: `whsec_` followed by base64. Store it safely.' },
    { ...example.subscription, secret: example.secret },
  ),
  WebhookSubscriptionCreate: object(
    event.subscriptionCreate(),
    'A subscription to create.',
    endpoint,
    { url: example.subscription.url, event_types: example.subscription.event_types },
    { url: example.subscription.url, event_types: ['transfer.completed'], active: false },
  ),
  WebhookSubscriptionUpdate: object(
    event.subscriptionUpdate(),
    'The fields to change. Omitted fields stay unchanged.',
    endpoint,
    { active: true },
    { url: 'https://hooks.partner.example/v2', event_types: ['transfer.completed'] },
  ),
  WebhookSubscriptionPage: describedPage(event.subscription(), 'webhook-subscriptions', example.subscription),
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
    example.delivery,
  ),
  DeliveryPage: describedPage(event.delivery(), 'deliveries', example.delivery),
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
