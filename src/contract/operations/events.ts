import * as z from 'zod/mini'
import { type Filters, filter, paged, type Row, shapeOf } from '../operation.ts'
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
    response: eventPage,
    waits: true,
    summary: 'List events in creation order, by cursor',
  },
  listSubscriptions: {
    path: '/webhook-subscriptions',
    ...paged({}),
    response: subscription,
    extension: true,
    summary: 'List webhook subscriptions, newest first',
  },
  createSubscription: {
    method: 'POST',
    path: '/webhook-subscriptions',
    body: subscriptionCreate,
    creates: true,
    response: subscriptionWithSecret,
    extension: true,
    showsSecret: true,
    summary: 'Subscribe a URL to events; the secret is shown once',
  },
  getSubscription: {
    method: 'GET',
    path: '/webhook-subscriptions/{subscription_id}',
    response: subscription,
    extension: true,
    summary: 'Get a webhook subscription',
  },
  updateSubscription: {
    method: 'PATCH',
    path: '/webhook-subscriptions/{subscription_id}',
    body: subscriptionUpdate,
    response: subscription,
    summary: 'Update a webhook subscription',
  },
  deleteSubscription: {
    method: 'DELETE',
    path: '/webhook-subscriptions/{subscription_id}',
    extension: true,
    summary: 'Delete a webhook subscription',
  },
  rotateSubscriptionSecret: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/rotate-secret',
    body: rotateSecret,
    response: subscriptionWithSecret,
    extension: true,
    showsSecret: true,
    summary: 'Rotate the secret; the old one stays valid for a while',
  },
  testSubscription: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/test',
    response: delivery,
    conflicts: true,
    extension: true,
    summary: 'Queue a signed sample event',
  },
  listDeliveries: {
    path: '/webhook-subscriptions/{subscription_id}/deliveries',
    ...paged({ status: filter(deliveryStatus, 'deliveries with this status', 'dead') }),
    response: delivery,
    extension: true,
    summary: 'List the deliveries of a subscription, newest first',
  },
  redeliver: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}/redeliver',
    response: delivery,
    conflicts: true,
    extension: true,
    summary: 'Queue a delivery again',
  },
  replaySubscription: {
    method: 'POST',
    path: '/webhook-subscriptions/{subscription_id}/replay',
    body: replayRequest,
    response: replayed,
    conflicts: true,
    extension: true,
    summary: 'Queue past events again, from an event or a time',
  },
} as const satisfies Record<string, Row>
