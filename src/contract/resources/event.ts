import * as z from 'zod/mini'
import type { WebhookEventType } from '../enums.ts'
import { graceSecondsDefault, graceSecondsMax } from '../limits.ts'
import { once } from '../once.ts'
import { answered, dateTime, sent, uuid, webhookUri } from '../primitives.ts'
import { deliveryStatus, webhookEventType } from '../vocabulary.ts'
import { fulfillment, transfer } from './fulfillment.ts'
import { intakeEvent, item } from './item.ts'
import { reconciliation } from './manifest.ts'

function event<T extends string, D extends z.ZodMiniType>(type: T, data: D) {
  return z.object({ id: uuid(), created_at: dateTime(), type: z.literal(type), data })
}

/** Part 6: pull and push payloads are the same bytes. */
export const webhookEvents = once(() => ({
  'item.intake.completed': event('item.intake.completed', intakeEvent()),
  'item.status.changed': event('item.status.changed', item()),
  'fulfillment.status.changed': event('fulfillment.status.changed', fulfillment()),
  'fulfillment.issue.raised': event('fulfillment.issue.raised', fulfillment()),
  'manifest.reconciliation.completed': event('manifest.reconciliation.completed', reconciliation()),
  'transfer.requested': event('transfer.requested', transfer()),
  'transfer.completed': event('transfer.completed', transfer()),
  'transfer.declined': event('transfer.declined', transfer()),
  'transfer.cancelled': event('transfer.cancelled', transfer()),
  'fulfillment.returned': event('fulfillment.returned', fulfillment()),
}))

type EventSchema = ReturnType<typeof webhookEvents>[WebhookEventType]
export const webhookEvent = once(() =>
  z.discriminatedUnion('type', Object.values(webhookEvents()) as [EventSchema, ...EventSchema[]]),
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

/** Exactly one of the two says where to start; the engine refuses both and neither. */
export const replayRequest = sent(() => ({
  starting_after: z.optional(uuid()),
  since: z.optional(dateTime()),
}))
export const replayed = answered(() => ({ queued: z.int() }))
