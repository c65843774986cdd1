import {
  fulfillment,
  fulfillmentCreate,
  fulfillmentCsvResult,
  fulfillmentIssue,
  orderLine,
  shippingAddress,
  shippingAddressCreate,
  transfer,
  transferCreate,
} from '../../resources/fulfillment.ts'
import * as vocabulary from '../../vocabulary.ts'
import { object, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

const address = {
  recipient_name: 'The recipient.',
  street: 'Street and house number.',
  street_2: 'Apartment, floor, or care of.',
  city: 'City.',
  state: 'State or province. In the US, Canada, and Australia: its code, such as OR.',
  zip: 'Postal code. In the US: five or nine digits.',
  country: 'Country code (ISO 3166-1 alpha-2), in upper or lower case.',
}

const order = {
  shipping_address: 'The destination of the fulfillment.',
  type: 'Whether the items go to a customer or back to their owner.',
  external_ref: 'Your reference for the order.',
  special_instructions: 'Instructions for the warehouse.',
  deliver_by: 'The date by which the fulfillment should arrive.',
}

const chosen = {
  sku: 'The SKU to send.',
  quantity: 'The number of units to send.',
}

const lines = 'The contents of one parcel. Each line has `qid`, or `sku` and `quantity`.'

export const fulfillmentFields = {
  ...address,
  ...chosen,
  qid: 'The item to send.',
  external_ref: order.external_ref,
  special_instructions: order.special_instructions,
  deliver_by: order.deliver_by,
}

const { address: portland, pending, labeled, stopped, qids } = example

/** Has no `deliver_by`, because the date would be in the past when a reader sends the example. */
export const orderBySku = {
  sku: 'PKM-151-ETB',
  quantity: 2,
  shipping_address: portland,
  external_ref: 'WEB-20418',
  special_instructions: 'Signature required.',
}

/** A shop's order with several lines, sent as one parcel. */
export const orderOfLines = {
  lines: [{ sku: 'PKM-151-ETB', quantity: 2 }, { qid: qids.slab }],
  shipping_address: portland,
  external_ref: '#1002',
}

export const orderByQid = {
  qids: [qids.slab],
  shipping_address: portland,
  type: 'withdrawal' as const,
}

export const tooFew = {
  row: 2,
  code: 'state_conflict' as const,
  fields: { sku: ['"PKM-151-BUN" has too few available items (requested 5, available 1)'] },
  message: 'sku "PKM-151-BUN" has too few available items (requested 5, available 1).',
}

export const orderSchemas: Record<string, SchemaProse> = {
  FulfillmentStatus: words(vocabulary.fulfillmentStatus(), 'The status of a fulfillment.', {
    pending: 'ordered, not yet started',
    processing: 'the warehouse is working on it',
    shipped: 'handed to the carrier',
    delivered: 'delivered to the recipient',
    cancelled: 'cancelled before it was picked',
    exception: 'blocked; see `issue`',
    returned: 'returned; its items are in custody again',
  }),
  ProcessingStage: words(vocabulary.processingStage(), 'The stage of a fulfillment while it is processing.', {
    picked: 'its items were taken off their shelves; it can no longer be cancelled',
    packed: 'its items were packed',
    verified: 'the parcel was checked',
    labeled: 'it has a label; its carrier, service, and tracking number are known',
    queued_for_carrier: 'it is waiting for the carrier',
  }),
  FulfillmentType: words(vocabulary.fulfillmentType(), 'The purpose of a fulfillment.', {
    standard: 'the items go to a customer',
    withdrawal: 'the items go back to their owner',
  }),
  TransferStatus: words(vocabulary.transferStatus(), 'The status of a transfer.', {
    requested: 'requested; its items are reserved',
    completed: 'done; its items are released',
    declined: 'declined; its items are available again',
    cancelled: 'withdrawn by you; its items are available again',
  }),
  TransferType: words(vocabulary.transferType(), 'The purpose of a transfer.', {
    sell_back: 'items are sold back',
  }),
  ShippingAddress: object(shippingAddress(), 'The destination of a fulfillment.', address, portland),
  ShippingAddressCreate: object(
    shippingAddressCreate(),
    'The destination of a fulfillment. If the country is not served, the order fails with `unsupported_destination`.',
    address,
    portland,
  ),
  FulfillmentIssue: object(
    fulfillmentIssue(),
    'An issue that blocks a fulfillment.',
    {
      code: 'The machine-readable kind of issue. Any value is possible.',
      message: 'A human-readable description of the issue.',
      occurred_at: 'When the issue was raised.',
    },
    example.issue,
  ),
  Fulfillment: object(
    fulfillment(),
    'An outbound shipment of items.',
    {
      ...order,
      id: 'Identifies the fulfillment.',
      qids: 'The items in the fulfillment.',
      status: 'The status of the fulfillment.',
      processing_stage: 'The stage while `status` is `processing`, if known.',
      carrier: 'The carrier, once the fulfillment has a label. Any value is possible.',
      service: "The carrier's service, once the fulfillment has a label. Any value is possible.",
      tracking_number: 'The tracking number, once the fulfillment has a label.',
      tracking_url: 'The URL of the tracking page.',
      issue: 'The issue that blocks the fulfillment, if any.',
      created_at: 'When the fulfillment was ordered.',
      updated_at: 'When the fulfillment last changed.',
      verified_address_id: 'Identifies the verified form of the address, if any.',
    },
    labeled,
    { ...stopped, verified_address_id: '019cd1e2-d280-7461-960c-87b9582ffa0b' },
  ),
  FulfillmentCreate: object(
    fulfillmentCreate(),
    'A fulfillment to order. Give one of `qids` (specific items), `sku` and `quantity` (the oldest units of a SKU), or `lines` (a combination of both).',
    {
      ...order,
      ...chosen,
      qids: 'The items to send; all of them must be available.',
      lines,
    },
    { ...orderBySku, deliver_by: '2026-03-12' },
    orderByQid,
    orderOfLines,
  ),
  OrderLine: object(
    orderLine(),
    'A line of an order: `qid`, or `sku` and `quantity`. Quantities of lines with the same SKU are added up.',
    { ...chosen, qid: 'The item to send; it must be available.' },
    { sku: 'PKM-151-ETB', quantity: 2 },
    { qid: qids.slab },
  ),
  FulfillmentPage: describedPage(fulfillment(), 'fulfillments', labeled),
  FulfillmentCsvResult: object(
    fulfillmentCsvResult(),
    'The result of an import: every row is a fulfillment, an error, or a repeat.',
    {
      created: 'The ordered fulfillments, in row order.',
      errors: 'The rejected rows.',
      repeated: 'Rows that were already ordered; only under `Custody-Repeats: skip`.',
      totals: 'The number of rows by result.',
    },
    { created: [pending], errors: [tooFew], totals: { created: 1, failed: 1, submitted: 2 } },
    {
      created: [],
      errors: [tooFew],
      repeated: [example.repeatedRow],
      totals: { created: 0, failed: 1, repeated: 1, submitted: 2 },
    },
  ),
  Transfer: object(
    transfer(),
    'A sell-back of items.',
    {
      id: 'Identifies the transfer.',
      qids: 'The items in the transfer.',
      status: 'The status of the transfer.',
      type: 'The purpose of the transfer.',
      external_ref: 'Your reference for the transfer.',
      created_at: 'When the transfer was requested.',
      updated_at: 'When the transfer last changed.',
    },
    example.transfer,
  ),
  TransferCreate: object(
    transferCreate(),
    'Items to sell back.',
    {
      qids: 'The items to sell back; all of them must be available.',
      external_ref: 'Your reference for the transfer.',
    },
    { qids: [qids.slab], external_ref: 'SB-77' },
  ),
  TransferPage: describedPage(transfer(), 'transfers', example.transfer),
}
