import { type EventType, eventMeanings, eventName } from './schema-prose/events.ts'
import type { Schema } from './schemas.ts'
import { events } from './telling/event-examples.ts'

const seconds = '1772809364'

/** The headers of a delivery (Standard Webhooks 1.0). */
export const webhookParameters = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'The id of the event: the same on every attempt. Keep it, and pass over one that comes again.',
    schema: { type: 'string', format: 'uuid' },
    example: '019cc796-1a80-72cd-9d0d-7e733012759c',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'Seconds since 1970 at which this attempt was signed. Refuse one that is more than five minutes off.',
    schema: { type: 'string', pattern: '^\\d+$', maxLength: 20 },
    example: seconds,
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One signature, or two with a space between them while a secret is being replaced: `v1,` and the base64 of the HMAC-SHA256 of `webhook-id.webhook-timestamp.body`. The key is what stands after `whsec_` in the secret, base64 decoded. Any that fits is enough; compare in constant time, over the bytes as they came.',
    schema: { type: 'string', pattern: '^v1,', maxLength: 200 },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}

/** What is posted to a subscription's address, an operation for each type of event. */
export function webhookObjects(): Record<string, Schema> {
  const types = Object.keys(eventMeanings) as EventType[]
  return Object.fromEntries(types.map((type) => [type, { post: delivery(type) }]))
}

function delivery(type: EventType): Schema {
  const name = eventName(type)
  const schema = { $ref: `#/components/schemas/${name}` }
  const examples = { [type]: { summary: `Posted when ${eventMeanings[type]}`, value: events[type] } }
  return {
    operationId: `on${name}`,
    summary: `Posted when ${eventMeanings[type]}`,
    description: `Posted to the subscriptions to \`${type}\` when ${eventMeanings[type]}. At least once, and not always in order; the bytes are those of \`GET /events\`. A delivery that fails is tried again ten times within some three days.`,
    tags: ['webhook-subscriptions'],
    security: [],
    parameters: Object.keys(webhookParameters).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    requestBody: {
      description: 'The event.',
      required: true,
      content: { 'application/json': { schema, examples } },
    },
    responses: {
      '2XX': { description: 'Taken: answer within 15 seconds, before the work is done.' },
      '410': { description: 'Gone: the subscription is deactivated.' },
      '4XX': { description: 'Not taken: it is tried again, after `Retry-After` where that is sent.' },
      '5XX': { description: 'Not taken: it is tried again, after `Retry-After` where that is sent.' },
    },
  }
}
