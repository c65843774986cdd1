import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import { type ColumnOf, columnsOf, type View } from '../output/columns.ts'

const items: ColumnOf<{ qids: readonly string[] }> = {
  name: 'qids',
  title: 'items',
  kind: 'number',
  of: ({ qids }) => qids.length,
}

export const fulfillmentList: View = {
  columns: columnsOf<Fulfillment>(
    { name: 'external_ref', title: 'ref', kind: 'id' },
    'status',
    { name: 'processing_stage', title: 'stage' },
    items,
    { name: 'recipient', of: ({ shipping_address: to }) => to?.recipient_name },
    { name: 'destination', title: 'to', of: destination },
    { name: 'tracking_number', title: 'tracking', kind: 'id' },
    { name: 'created_at', title: 'created' },
    { name: 'id', kind: 'id' },
  ),
}

export const fulfillmentRecord: View = {
  columns: columnsOf<Fulfillment>(
    'id',
    'status',
    { name: 'processing_stage', title: 'stage' },
    'type',
    'external_ref',
    { name: 'ship_to', title: 'ship to', of: address },
    'carrier',
    'service',
    'tracking_number',
    'tracking_url',
    { name: 'issue', of: ({ issue }) => issue && `${issue.code}: ${issue.message}` },
    { name: 'special_instructions', title: 'instructions' },
    'deliver_by',
    { name: 'qids', title: 'items' },
    { name: 'created_at', title: 'created' },
    { name: 'updated_at', title: 'updated' },
  ),
}

export const transferList: View = {
  columns: columnsOf<Transfer>(
    { name: 'external_ref', title: 'ref', kind: 'id' },
    'status',
    'type',
    items,
    { name: 'created_at', title: 'created' },
    { name: 'updated_at', title: 'updated' },
    { name: 'id', kind: 'id' },
  ),
}

export const transferRecord: View = {
  columns: columnsOf<Transfer>(
    'id',
    'status',
    'type',
    'external_ref',
    { name: 'qids', title: 'items' },
    { name: 'created_at', title: 'created' },
    { name: 'updated_at', title: 'updated' },
  ),
}

function destination({ shipping_address: to }: Fulfillment): string | null {
  return to && [to.city, to.state, to.country].filter(Boolean).join(', ')
}

function address({ shipping_address: to }: Fulfillment): string | null {
  if (to === null) return null
  const { recipient_name, street, street_2, city, state, zip, country } = to
  return [recipient_name, street, street_2, `${city} ${state} ${zip}`, country].filter(Boolean).join(', ')
}
