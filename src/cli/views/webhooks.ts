import type { ResultOf } from '../../contract/operations.ts'
import type { Delivery, Subscription } from '../../contract/resources/event.ts'
import { sampleMark } from '../output/choose-columns.ts'
import { columnsOf, type View } from '../output/columns.ts'

export const subscriptionList: View = {
  columns: columnsOf<Subscription>(
    { name: 'id', kind: 'id' },
    'active',
    { name: 'url', kind: 'long' },
    { name: 'event_types', title: 'types', kind: 'long' },
    { name: 'created_at', title: 'created' },
  ),
}

/** Only two answers have `secret` (decisions 10). */
export const subscriptionRecord: View = {
  columns: columnsOf<Subscription>(
    'id',
    'url',
    'active',
    { name: 'event_types', title: 'types' },
    { name: 'created_at', title: 'created' },
  ),
}

export const subscriptionWithSecret: View = {
  columns: [...subscriptionRecord.columns, ...columnsOf<ResultOf<'createSubscription'>>('secret')],
  shownOnce: {
    field: 'secret',
    sample: {
      id: '01f6f2e8-6d5b-7cc1-a1b3-0f4d1a1c5d11',
      url: 'https://hooks.example.com/custody',
      event_types: ['transfer.completed'],
      active: true,
      created_at: '2026-01-01T00:00:00.000Z',
      secret: `whsec_${sampleMark}`,
    },
  },
}

export const deliveryList: View = {
  columns: columnsOf<Delivery>(
    { name: 'id', kind: 'id' },
    'status',
    { name: 'event_type', title: 'type' },
    { name: 'attempts', kind: 'number' },
    { name: 'response_code', title: 'response', kind: 'number' },
    { name: 'last_error', title: 'error', kind: 'long' },
    { name: 'last_attempt_at', title: 'last attempt' },
    { name: 'next_attempt_at', title: 'next attempt' },
    { name: 'event_id', title: 'event', kind: 'id' },
    { name: 'created_at', title: 'created' },
  ),
}
