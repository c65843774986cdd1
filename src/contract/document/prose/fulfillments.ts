import type { fulfillmentOperations } from '../../operations/fulfillments.ts'
import {
  fulfillment,
  fulfillmentCreate,
  fulfillmentCsvResult,
  fulfillmentIssue,
  orderLine,
  type ShippingAddress,
  shippingAddress,
  shippingAddressCreate,
  transferCreate,
  transfer as transferSchema,
} from '../../resources/fulfillment.ts'
import * as vocabulary from '../../vocabulary.ts'
import {
  type DescribedOperations,
  type LinkProse,
  link,
  object,
  type SchemaProse,
  words,
} from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

const addressWords = {
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
  ...addressWords,
  ...chosen,
  qid: 'The item to send.',
  external_ref: order.external_ref,
  special_instructions: order.special_instructions,
  deliver_by: order.deliver_by,
}

const { address, secondAddress, pending, labeled, stopped, transfer, qids } = example
const boxes = { sku: example.product.sku, quantity: 2 }
const sale = { qids: [qids.slab], external_ref: transfer.external_ref }

/** Has no `deliver_by`, because the date would be in the past when a reader sends the example. */
const orderBySku = {
  ...boxes,
  shipping_address: address,
  external_ref: 'WEB-20418',
  special_instructions: 'Signature required.',
}

/** A shop's order with several lines, sent as one parcel. */
const orderOfLines = {
  lines: [boxes, { qid: qids.slab }],
  shipping_address: address,
  external_ref: '#1002',
}

const orderByQid = {
  qids: [qids.slab],
  shipping_address: address,
  type: 'withdrawal' as const,
}

const tooFew = {
  row: 2,
  code: 'state_conflict' as const,
  fields: { sku: ['"PKM-151-BUN" has too few available items (requested 5, available 1)'] },
  message: 'sku "PKM-151-BUN" has too few available items (requested 5, available 1).',
}
const csvResult = { created: [pending], errors: [tooFew], totals: { created: 1, failed: 1, submitted: 2 } }

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
  ShippingAddress: object(shippingAddress(), 'The destination of a fulfillment.', addressWords, address),
  ShippingAddressCreate: object(
    shippingAddressCreate(),
    'The destination of a fulfillment. If the country is not served, the order fails with `unsupported_destination`.',
    addressWords,
    address,
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
    boxes,
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
    csvResult,
    {
      created: [],
      errors: [tooFew],
      repeated: [example.repeatedRow],
      totals: { created: 0, failed: 1, repeated: 1, submitted: 2 },
    },
  ),
  Transfer: object(
    transferSchema(),
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
    transfer,
  ),
  TransferCreate: object(
    transferCreate(),
    'Items to sell back.',
    {
      qids: 'The items to sell back; all of them must be available.',
      external_ref: 'Your reference for the transfer.',
    },
    sale,
  ),
  TransferPage: describedPage(transferSchema(), 'transfers', transfer),
}

const file = `qid,sku,quantity,recipient_name,street,street_2,city,state,zip,country,external_ref,special_instructions,deliver_by
,PKM-151-ETB,1,${cellsOf(address)},WEB-20418,Signature required.,
,PKM-151-BUN,5,${cellsOf(secondAddress)},WEB-20421,,
`

type Address = Omit<ShippingAddress, 'street_2'> & { street_2?: string }

function cellsOf({ recipient_name, street, street_2 = '', city, state, zip, country }: Address): string {
  return [recipient_name, street, street_2, city, state, zip, country].join(',')
}

const toFulfillment: LinkProse[] = [
  link('getFulfillment', { fulfillment_id: '$response.body#/id' }, "Follow the fulfillment's progress."),
  link('cancelFulfillment', { fulfillment_id: '$response.body#/id' }, 'Cancel it before it is picked.'),
]

export const fulfillmentsProse: DescribedOperations<keyof typeof fulfillmentOperations> = {
  listFulfillments: {
    description: 'Lists fulfillments, newest first.',
    answer: labeled,
  },
  getFulfillment: { description: 'Returns a fulfillment.', answer: labeled },
  createFulfillment: {
    description:
      'Orders a fulfillment of items, by QID or by SKU and quantity (longest in custody first). The items are reserved immediately. An order is accepted or rejected as a whole. Under `Custody-Repeats: skip`, an order with the same `external_ref` and item returns the earlier order with 200; an order by `lines` is recognised by its `external_ref` alone, and returns the oldest fulfillment if several together are that order. If the content differs, or the earlier order was cancelled or returned, the order returns 409.',
    requests: {
      'Two boxes, by SKU': orderBySku,
      'A slab back to its owner, by QID': orderByQid,
      'Two boxes and a slab in one parcel': orderOfLines,
    },
    answer: pending,
    conflict: {
      message: 'PKM-151-ETB has only 1 of the 2 requested items available.',
      extra: { availability: [{ sku: 'PKM-151-ETB', requested: 2, available: 1 }] },
    },
    links: toFulfillment,
  },
  importFulfillmentsCsv: {
    description:
      'Orders one fulfillment for each row of a CSV file. A row has `qid`, or `sku` and `quantity`. Each row is validated on its own: it fails with `not_found` if the QID is unknown, `state_conflict` if there is too little stock, and `unsupported_destination` if the country is not served. Under `Custody-Repeats: skip`, a row that was already ordered is listed in `repeated` and not ordered again. A row that differs from the earlier order, or whose order was cancelled or returned, fails with `state_conflict`. Rows of one file with the same `external_ref` and item all fail.',
    requests: { 'Two orders, one of them for too many units': { file } },
    answer: csvResult,
  },
  cancelFulfillment: {
    description: 'Cancels a fulfillment before it is picked. Its items are available again immediately.',
    answer: { ...pending, status: 'cancelled' },
    conflict: {
      message: 'This fulfillment is already past pick and can no longer be cancelled.',
      extra: { status: 'processing', processing_stage: 'picked' },
    },
  },
  listTransfers: {
    description: 'Lists transfers, newest first.',
    answer: transfer,
  },
  getTransfer: { description: 'Returns a transfer.', answer: transfer },
  requestTransfer: {
    description:
      'Offers items for sell-back. They are reserved until the transfer is completed, declined, or cancelled.',
    requests: { 'One slab': sale },
    answer: transfer,
    conflict: {
      message: `${qids.slab} is in_fulfillment, not available.`,
      extra: { availability: [{ qid: qids.slab, requested: 1, available: 0, status: 'in_fulfillment' }] },
    },
    links: [
      link('getTransfer', { transfer_id: '$response.body#/id' }, "Follow the transfer's progress."),
      link(
        'cancelTransfer',
        { transfer_id: '$response.body#/id' },
        'Cancel it while it is still `requested`.',
      ),
    ],
  },
  cancelTransfer: {
    description: 'Cancels a requested transfer. Its items are available again immediately.',
    answer: { ...transfer, status: 'cancelled' },
    conflict: {
      message: 'This transfer is completed and cannot become cancelled.',
      extra: { status: 'completed' },
    },
  },
}
