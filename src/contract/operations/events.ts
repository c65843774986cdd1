import * as z from 'zod/mini'
import { type Filters, filter, type Operation, paged, shapeOf } from '../operation.ts'
import { pageSize, sent, uuid } from '../primitives.ts'
import {
  delivery,
  eventPage,
  replayed,
  replayRequest,
  rotateSecret,
  subscription,
  subscriptionCreate,
  subscriptionUpdate,
  subscriptionWithSecret,
} from '../resources/event.ts'
import { ids } from '../sample-ids.ts'
import { deliveryStatus, webhookEventType } from '../vocabulary.ts'

const bySubscription = { subscription_id: 'uuid' } as const

const eventFilters = {
  type: filter(webhookEventType, 'events of this type', 'item.intake.completed'),
}

const eventOrder = {
  starting_after: {
    schema: () => z.optional(uuid()),
    words: 'Start after this event: the `next_starting_after` of the previous page',
    example: ids.earlierEvent,
    isForm: true,
  },
} as const satisfies Filters

export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/events',
    filters: eventFilters,
    order: eventOrder,
    query: sent(() => ({ ...shapeOf(eventOrder), page_size: pageSize(), ...shapeOf(eventFilters) })),
    success: 200,
    response: eventPage,
    errors: [400, 401, 429],
    waits: true,
    summary: 'List events in creation order, by cursor',
  },
  listSubscriptions: {
    path: '/webhook-subscriptions',
    ...paged({}),
    response: subscription,
    errors: [400, 401, 429],
    extension: true,
    summary: 'List webhook subscriptions, newest first',
  },
  createSubscription: {
    method: 'POST',
    path: '/webhook-subscriptions',
    body: subscriptionCreate,
    success: 201,
    response: subscriptionWithSecret,
    errors: [400, 401, 429],
    extension: true,
    showsSecret: true,
    summary: 'Subscribe a URL to events; the secret is shown once',
  },
  getSubscription: {
    method: 'GET',
    path: '/webhook-subscriptions/{subscription_id}',
    params: bySubscription,
    success: 200,
    response: subscription,
    errors: [400, 401, 404, 429],
    extension: true,
    summary: 'Get a webhook subscription',
  },
  updateSubscription: {
    method: 'PATCH',
    path: '/webhook-subscriptions/{subscription_id}',
    params: bySubscription,
    body: subscriptionUpdate,
    success: 200,
    response: subscription,
    errors: [400, 401, 404, 429],
    summary: 'Update a webhook subscription',
  },
  deleteSubscription: {
    method: 'DELETE',
    path: '/webhook-subscriptions/{subscription_id}',
    params: bySubscription,
    success: 204,
    errors: [400, 401, 404, 429],
    extension: true,
    summary: 'Delete a webhook subscription',
  },
  rotateSubscriptionSecret: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/rotate-secret',
    params: bySubscription,
    body: rotateSecret,
    success: 200,
    response: subscriptionWithSecret,
    errors: [400, 401, 404, 429],
    extension: true,
    showsSecret: true,
    summary: 'Rotate the secret; the old one stays valid for a while',
  },
  testSubscription: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/test',
    params: bySubscription,
    success: 200,
    response: delivery,
    errors: [400, 401, 404, 409, 429],
    extension: true,
    summary: 'Queue a signed sample event',
  },
  listDeliveries: {
    path: '/webhook-subscriptions/{subscription_id}/deliveries',
    params: bySubscription,
    ...paged({ status: filter(deliveryStatus, 'deliveries with this status', 'dead') }),
    response: delivery,
    errors: [400, 401, 404, 429],
    extension: true,
    summary: 'List the deliveries of a subscription, newest first',
  },
  redeliver: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}/redeliver',
    params: { ...bySubscription, delivery_id: 'uuid' },
    success: 200,
    response: delivery,
    errors: [400, 401, 404, 409, 429],
    extension: true,
    summary: 'Queue a delivery again',
  },
  replaySubscription: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/replay',
    params: bySubscription,
    body: replayRequest,
    success: 200,
    response: replayed,
    errors: [400, 401, 404, 409, 429],
    extension: true,
    summary: 'Queue past events again, from an event or a time',
  },
} as const satisfies Record<string, Operation>
