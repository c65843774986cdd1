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
  const told: SchemaProse = {
    schema: event.webhookEventSchemas()[type],
    description: `Sent when ${webhookEvents[type].means}.`,
    fields: {
      id: 'Names the event: keep it, and pass over one that comes again.',
      created_at: 'When it happened.',
      type: `Always \`${type}\`.`,
      data: 'What it happened to, as it was just after.',
    },
    examples: [example.events[type]],
  }
  return [eventName(type), told]
}

const endpoint = {
  url: 'Where events are posted to: https, RFC 3986, a public address; redirects are not followed.',
  event_types: 'Which events are posted there.',
  active: 'Whether events are posted there.',
}

const subscription = {
  ...endpoint,
  id: 'Names the subscription.',
  created_at: 'When it was made.',
}

const meanings = Object.fromEntries(
  webhookEventTypes.map((type) => [type, webhookEvents[type].means]),
) as Record<WebhookEventType, string>

export const eventSchemas: Record<string, SchemaProse> = {
  ...Object.fromEntries(webhookEventTypes.map(describedEvent)),
  WebhookEventType: words(webhookEventType(), 'What happened.', meanings),
  WebhookEvent: oneOf(
    event.webhookEvent(),
    'Something that happened. `type` tells what, and with it what `data` holds. Pulled and pushed, its bytes are the same.',
    example.events['item.intake.completed'],
  ),
  EventPage: object(
    event.eventPage(),
    'Events in the order in which they happened.',
    {
      has_more: 'Whether there are more after these.',
      next_starting_after:
        'The cursor of the next page: the id of the last event here; null on an empty page.',
      results: 'The events.',
    },
    {
      has_more: true,
      next_starting_after: ids.event,
      results: [example.events['item.intake.completed']],
    },
  ),
  WebhookSubscription: object(
    event.subscription(),
    'An address to which events are posted.',
    subscription,
    example.subscription,
  ),
  WebhookSubscriptionWithSecret: object(
    event.subscriptionWithSecret(),
    'A subscription, and its secret: shown this once.',
    { ...subscription, secret: 'The key of the signatures, base64 after `whsec_`. Keep it.' },
    { ...example.subscription, secret: example.secret },
  ),
  WebhookSubscriptionCreate: object(
    event.subscriptionCreate(),
    'A subscription as it is made.',
    endpoint,
    { url: example.subscription.url, event_types: example.subscription.event_types },
    { url: example.subscription.url, event_types: ['transfer.completed'], active: false },
  ),
  WebhookSubscriptionUpdate: object(
    event.subscriptionUpdate(),
    'What is to be changed; what is left out stays.',
    endpoint,
    { active: true },
    { url: 'https://hooks.partner.example/v2', event_types: ['transfer.completed'] },
  ),
  WebhookSubscriptionPage: describedPage(event.subscription(), 'webhook-subscriptions', example.subscription),
  SecretRotation: object(
    event.rotateSecret(),
    'How a secret is replaced.',
    {
      grace_seconds: `How long events are signed with the old secret too: at most ${graceSecondsMax / 86_400} days.`,
    },
    { grace_seconds: 3600 },
  ),
  DeliveryStatus: words(deliveryStatus(), 'How far a delivery is.', {
    pending: 'it will be tried at `next_attempt_at`',
    delivered: 'the receiver answered 2xx',
    dead: 'it is not tried again by itself',
  }),
  Delivery: object(
    event.delivery(),
    'One event on its way to one subscription.',
    {
      id: 'Names the delivery.',
      event_id: 'The event.',
      event_type: 'Its type.',
      status: 'Its progress.',
      attempts: 'How often it was tried.',
      response_code: 'The status that the receiver last answered; null where it answered none.',
      last_error: 'Why the last attempt failed.',
      last_attempt_at: 'When it was last tried.',
      next_attempt_at: 'When it is tried next; null where it is over.',
      created_at: 'When it was queued.',
    },
    example.delivery,
  ),
  DeliveryPage: describedPage(event.delivery(), 'deliveries', example.delivery),
  ReplayRequest: object(
    event.replayRequest(),
    'Where a replay starts: one of the two.',
    {
      starting_after: 'The event after which it starts.',
      since: 'The time from which on it starts.',
    },
    { since: '2026-03-06T00:00:00.000Z' },
    { starting_after: ids.earlierEvent },
  ),
  Replay: object(event.replayed(), 'What was queued again.', { queued: 'How many events.' }, { queued: 42 }),
}
