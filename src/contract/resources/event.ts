import * as z from 'zod/mini'
import { type WebhookEventType, webhookEvents, webhookEventTypes } from '../enums.ts'
import { graceSecondsDefault, graceSecondsMax } from '../limits.ts'
import { once } from '../once.ts'
import { answered, dateTime, sent, uuid, webhookUri } from '../primitives.ts'
import { deliveryStatus, webhookEventType } from '../vocabulary.ts'
import { fulfillment, transfer } from './fulfillment.ts'
import { intakeEvent, item } from './item.ts'
import { reconciliation } from './manifest.ts'

const eventData = once(() => ({
  intake: intakeEvent(),
  item: item(),
  fulfillment: fulfillment(),
  reconciliation: reconciliation(),
  transfer: transfer(),
}))
type EventOf<T extends WebhookEventType> = z.ZodMiniObject<{
  id: ReturnType<typeof uuid>
  created_at: ReturnType<typeof dateTime>
  type: z.ZodMiniLiteral<T>
  data: ReturnType<typeof eventData>[(typeof webhookEvents)[T]['data']]
}>

/** Part 6: pull and push payloads are the same bytes. */
export const webhookEventSchemas = once(() => {
  const envelope = { id: uuid(), created_at: dateTime() }
  const schemas = webhookEventTypes.map((type) => {
    const data = eventData()[webhookEvents[type].data]
    return [type, z.object({ ...envelope, type: z.literal(type), data })]
  })
  return Object.fromEntries(schemas) as { [T in WebhookEventType]: EventOf<T> }
})

type EventSchema = ReturnType<typeof webhookEventSchemas>[WebhookEventType]
export const webhookEvent = once(() =>
  z.discriminatedUnion('type', Object.values(webhookEventSchemas()) as [EventSchema, ...EventSchema[]]),
)
export type WebhookEvent = z.infer<ReturnType<typeof webhookEvent>>

/** GET /events (4.7) */
export const eventPage = answered(() => ({
  has_more: z.boolean(),
  next_starting_after: z.nullable(uuid()),
  results: z.array(webhookEvent()),
}))
export type EventPage = z.infer<ReturnType<typeof eventPage>>

const eventTypes = once(() => z.array(webhookEventType()).check(z.minLength(1)))

/** 2.11 */
export const subscription = answered(() => ({
  id: uuid(),
  url: webhookUri(),
  event_types: z.array(webhookEventType()),
  active: z.boolean(),
  created_at: dateTime(),
}))
export type Subscription = z.infer<ReturnType<typeof subscription>>

export const subscriptionCreate = sent(() => ({
  url: webhookUri(),
  event_types: eventTypes(),
  active: z._default(z.boolean(), true),
}))

/** PATCH /webhook-subscriptions/{id} (4.7) */
export const subscriptionUpdate = sent(() => ({
  active: z.optional(z.boolean()),
  event_types: z.optional(eventTypes()),
  url: z.optional(webhookUri()),
}))
export type SubscriptionUpdate = z.infer<ReturnType<typeof subscriptionUpdate>>

/** The secret is shown once: in the 201 and after a rotation (decisions 10). */
export const subscriptionWithSecret = once(() => z.extend(subscription(), { secret: z.string() }))

export const rotateSecret = sent(() => ({
  grace_seconds: z._default(z.int().check(z.gte(0), z.lte(graceSecondsMax)), graceSecondsDefault),
}))

export const delivery = answered(() => ({
  id: uuid(),
  event_id: uuid(),
  event_type: webhookEventType(),
  status: deliveryStatus(),
  attempts: z.int(),
  response_code: z.nullable(z.int()),
  last_error: z.nullable(z.string()),
  last_attempt_at: z.nullable(dateTime()),
  next_attempt_at: z.nullable(dateTime()),
  created_at: dateTime(),
}))
export type Delivery = z.infer<ReturnType<typeof delivery>>

/** Exactly one of the two gives the start; the engine rejects both and neither. */
export const replayRequest = sent(() => ({
  starting_after: z.optional(uuid()),
  since: z.optional(dateTime()),
}))
export const replayed = answered(() => ({ queued: z.int() }))
