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
    { name: 'status', kind: 'status' },
    { name: 'processing_stage', title: 'stage' },
    items,
    { name: 'recipient', of: ({ shipping_address: to }) => to?.recipient_name },
    { name: 'destination', title: 'to', of: destination },
    { name: 'tracking_number', title: 'tracking', kind: 'id' },
    { name: 'created_at', title: 'created', kind: 'time' },
    { name: 'id', kind: 'id' },
  ),
}

export const fulfillmentRecord: View = {
  columns: columnsOf<Fulfillment>(
    { name: 'id' },
    { name: 'status', kind: 'status' },
    { name: 'processing_stage', title: 'stage' },
    { name: 'type' },
    { name: 'external_ref' },
    { name: 'ship_to', title: 'ship to', of: address },
    { name: 'carrier' },
    { name: 'service' },
    { name: 'tracking_number' },
    { name: 'tracking_url' },
    { name: 'issue', of: ({ issue }) => issue && `${issue.code}: ${issue.message}` },
    { name: 'special_instructions', title: 'instructions' },
    { name: 'deliver_by' },
    { name: 'qids', title: 'items' },
    { name: 'created_at', title: 'created', kind: 'time' },
    { name: 'updated_at', title: 'updated', kind: 'time' },
  ),
}

export const transferList: View = {
  columns: columnsOf<Transfer>(
    { name: 'external_ref', title: 'ref', kind: 'id' },
    { name: 'status', kind: 'status' },
    { name: 'type' },
    items,
    { name: 'created_at', title: 'created', kind: 'time' },
    { name: 'updated_at', title: 'updated', kind: 'time' },
    { name: 'id', kind: 'id' },
  ),
}

export const transferRecord: View = {
  columns: columnsOf<Transfer>(
    { name: 'id' },
    { name: 'status', kind: 'status' },
    { name: 'type' },
    { name: 'external_ref' },
    { name: 'qids', title: 'items' },
    { name: 'created_at', title: 'created', kind: 'time' },
    { name: 'updated_at', title: 'updated', kind: 'time' },
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
