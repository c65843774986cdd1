import type { fulfillmentOperations } from '../../operations/fulfillments.ts'
import type { ShippingAddress } from '../../resources/fulfillment.ts'
import { type DescribedOperations, type LinkProse, link } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { orderByQid, orderBySku, orderOfLines, tooFew } from '../schema-prose/fulfillments.ts'

const { address, secondAddress, pending, labeled, transfer, qids } = example

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
      'Orders a fulfillment of items, by QID or by SKU and quantity (longest in custody first). The items are reserved immediately. An order is accepted or rejected as a whole. Under `Custody-Repeats: skip`, an order with the same `external_ref` and item returns the earlier order with 200; an order by `lines` is recognised by its `external_ref` alone. If the content differs, or the earlier order was cancelled or returned, the order returns 409.',
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
    answer: { created: [pending], errors: [tooFew], totals: { created: 1, failed: 1, submitted: 2 } },
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
    requests: { 'One slab': { qids: [qids.slab], external_ref: 'SB-77' } },
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
