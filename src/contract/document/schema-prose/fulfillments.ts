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
import * as example from '../telling/examples.ts'
import { object, type Told, words } from '../telling/told.ts'
import { pageTold } from './envelope.ts'

const address = {
  recipient_name: 'Who receives it.',
  street: 'Street and house number.',
  street_2: 'Apartment, floor, care of.',
  city: 'City.',
  state: 'State or province; in the US, Canada and Australia the code of one, as in OR.',
  zip: 'Postal code; in the US five digits, or nine.',
  country: 'Country, ISO 3166-1 alpha-2, in any case.',
}

const order = {
  shipping_address: 'Where it goes.',
  type: 'Whether it is sold or comes home.',
  external_ref: 'Your own name for the order.',
  special_instructions: 'What the warehouse should know.',
  deliver_by: 'The day by which it should arrive.',
}

const chosen = {
  sku: 'The SKU of which items are to be sent.',
  quantity: 'How many of the SKU.',
}

const lines = 'What one parcel is to hold: each line gives `qid`, or `sku` and `quantity`.'

/** Of a row. */
export const fulfillmentFields = {
  ...address,
  ...chosen,
  qid: 'The item to send.',
  external_ref: order.external_ref,
  special_instructions: order.special_instructions,
  deliver_by: order.deliver_by,
}

const { address: portland, pending, labeled, stopped, qids } = example

/** Without a day: it would have passed when somebody sends the example. */
export const orderBySku = {
  sku: 'PKM-151-ETB',
  quantity: 2,
  shipping_address: portland,
  external_ref: 'WEB-20418',
  special_instructions: 'Signature required.',
}

/** One order of a shop is one parcel. */
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

export const orderSchemas: Record<string, Told> = {
  FulfillmentStatus: words(vocabulary.fulfillmentStatus(), 'How far a shipment is.', {
    pending: 'ordered, not begun',
    processing: 'the warehouse is at work on it',
    shipped: 'the carrier has it',
    delivered: 'the recipient has it',
    cancelled: 'cancelled before it was picked',
    exception: 'something stands in the way: see `issue`',
    returned: 'it came back, and its items are in custody again',
  }),
  ProcessingStage: words(
    vocabulary.processingStage(),
    'How far the warehouse is, while a shipment is processing.',
    {
      picked: 'its items were taken from their shelves; it can no longer be cancelled',
      packed: 'they are in their parcel',
      verified: 'the parcel was checked',
      labeled: 'it has a label: carrier, service and tracking are known',
      queued_for_carrier: 'it waits for the carrier',
    },
  ),
  FulfillmentType: words(vocabulary.fulfillmentType(), 'Why items are sent.', {
    standard: 'they go to a customer',
    withdrawal: 'they go back to their owner',
  }),
  TransferStatus: words(vocabulary.transferStatus(), 'How far a transfer is.', {
    requested: 'asked for; its items are held',
    completed: 'done; its items are released',
    declined: 'not wanted; its items are available again',
    cancelled: 'withdrawn by you; its items are available again',
  }),
  TransferType: words(vocabulary.transferType(), 'What a transfer is for.', {
    sell_back: 'items are sold back',
  }),
  ShippingAddress: object(shippingAddress(), 'Where a shipment goes.', address, portland),
  ShippingAddressCreate: object(
    shippingAddressCreate(),
    'Where a shipment is to go. A country that is not served is `unsupported_destination`.',
    address,
    portland,
  ),
  FulfillmentIssue: object(
    fulfillmentIssue(),
    'What stands in the way of a shipment.',
    {
      code: 'The kind of issue, for a program. Any word is possible.',
      message: 'The same for a person.',
      occurred_at: 'When it came up.',
    },
    example.issue,
  ),
  Fulfillment: object(
    fulfillment(),
    'An outbound shipment of items.',
    {
      ...order,
      id: 'Names the shipment.',
      qids: 'Its items.',
      status: 'How far it is: this always counts.',
      processing_stage: 'How far the warehouse is, while `status` is `processing`, where it is known.',
      carrier: 'The carrier, from the label on. Any word is possible.',
      service: "The carrier's service, from the label on. Any word is possible.",
      tracking_number: 'The number of the parcel, from the label on.',
      tracking_url: 'Where the parcel can be followed.',
      issue: 'What stands in the way; null where nothing does.',
      created_at: 'When it was ordered.',
      updated_at: 'When it last changed.',
      verified_address_id: 'The verified form of the address, where there is one.',
    },
    labeled,
    { ...stopped, verified_address_id: '019cd1e2-d280-7461-960c-87b9582ffa0b' },
  ),
  FulfillmentCreate: object(
    fulfillmentCreate(),
    'An order: `qids` names items; `sku` and `quantity` take that many, the longest held first; `lines` takes several of either. One of the three.',
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
    'A line of an order: `qid`, or `sku` and `quantity`. Lines with the same SKU are added up.',
    { ...chosen, qid: 'The item to send; it must be available.' },
    { sku: 'PKM-151-ETB', quantity: 2 },
    { qid: qids.slab },
  ),
  FulfillmentPage: pageTold(fulfillment(), 'fulfillments', labeled),
  FulfillmentCsvResult: object(
    fulfillmentCsvResult(),
    'What became of the rows of a file: every row is a shipment, an error or a repetition.',
    {
      created: 'The shipments that were ordered, in the order of the rows.',
      errors: 'The rows that were not taken.',
      repeated: 'The rows that were ordered before; only under `Custody-Repeats: skip`.',
      totals: 'How many rows there were of each.',
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
    'Items that are sold back.',
    {
      id: 'Names the transfer.',
      qids: 'Its items.',
      status: 'How far it is.',
      type: 'What it is for.',
      external_ref: 'Your own name for it.',
      created_at: 'When it was asked for.',
      updated_at: 'When it last changed.',
    },
    example.transfer,
  ),
  TransferCreate: object(
    transferCreate(),
    'Items to be sold back.',
    { qids: 'The items; all of them must be available.', external_ref: 'Your own name for the transfer.' },
    { qids: [qids.slab], external_ref: 'SB-77' },
  ),
  TransferPage: pageTold(transfer(), 'transfers', example.transfer),
}
