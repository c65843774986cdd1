import type { Delivery, Subscription, WebhookEvent } from '../../resources/event.ts'
import {
  arrived,
  ids,
  intake,
  reconciliation,
  shelved,
  shipped,
  shippedOrder,
  slab,
  stopped,
  transfer,
} from './examples.ts'

export const subscription: Subscription = {
  id: ids.subscription,
  url: 'https://hooks.partner.example/custody',
  event_types: ['item.intake.completed', 'fulfillment.status.changed'],
  active: true,
  created_at: '2026-03-02T14:05:09.120Z',
}

export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2tZ3Y0qVb2k='

export const delivery: Delivery = {
  id: ids.delivery,
  event_id: ids.event,
  event_type: 'item.intake.completed',
  status: 'pending',
  attempts: 1,
  response_code: 502,
  last_error: 'The receiver answered 502.',
  last_attempt_at: arrived,
  next_attempt_at: '2026-03-06T15:02:49.118Z',
  created_at: arrived,
}

/** One event of each type. */
export const events = {
  'item.intake.completed': event('item.intake.completed', arrived, intake),
  'item.status.changed': event('item.status.changed', shelved, slab),
  'fulfillment.status.changed': event('fulfillment.status.changed', shipped, shippedOrder),
  'fulfillment.issue.raised': event('fulfillment.issue.raised', shipped, stopped),
  'manifest.reconciliation.completed': event(
    'manifest.reconciliation.completed',
    reconciliation.generated_at,
    reconciliation,
  ),
  'transfer.requested': event('transfer.requested', shipped, transfer),
  'transfer.completed': event('transfer.completed', shipped, { ...transfer, status: 'completed' as const }),
  'transfer.declined': event('transfer.declined', shipped, { ...transfer, status: 'declined' as const }),
  'transfer.cancelled': event('transfer.cancelled', shipped, { ...transfer, status: 'cancelled' as const }),
  'fulfillment.returned': event('fulfillment.returned', shipped, {
    ...shippedOrder,
    status: 'returned' as const,
  }),
} satisfies { [Type in WebhookEvent['type']]: Extract<WebhookEvent, { type: Type }> }

function event<Type extends string, Data>(type: Type, created_at: string, data: Data) {
  return { id: ids.event, created_at, type, data }
}
