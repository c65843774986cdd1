import * as z from 'zod/mini'
import { refsAtOnceMax } from '../limits.ts'
import { filter, paged, type Row } from '../operation.ts'
import { qid } from '../primitives.ts'
import { csvForm } from '../resources/error.ts'
import {
  fulfillment,
  fulfillmentCreate,
  fulfillmentCsvResult,
  transfer,
  transferCreate,
} from '../resources/fulfillment.ts'
import { qids } from '../sample-ids.ts'
import { fulfillmentStatus, transferStatus } from '../vocabulary.ts'

const text = () => z.string()

export const fulfillmentOperations = {
  listFulfillments: {
    path: '/fulfillments',
    ...paged({
      status: filter(fulfillmentStatus, 'fulfillments with this status', 'exception'),
      external_ref: filter(text, 'fulfillments with exactly this reference', 'WEB-20418'),
      /** A JSON array, so that many references need one request. */
      external_refs: filter(
        text,
        `fulfillments with one of these references, up to ${refsAtOnceMax} in a JSON array`,
        '["WEB-20418","WEB-20419"]',
      ),
      qid: filter(qid, 'fulfillments that have, or had, this item', qids.box),
    }),
    response: fulfillment,
    extension: true,
    summary: 'List fulfillments, newest first',
  },
  getFulfillment: {
    method: 'GET',
    path: '/fulfillments/{fulfillment_id}',
    opaque: true,
    response: fulfillment,
    summary: 'Get a fulfillment',
  },
  createFulfillment: {
    method: 'POST',
    path: '/fulfillments',
    body: fulfillmentCreate,
    namesItems: true,
    creates: true,
    response: fulfillment,
    conflicts: true,
    extension: true,
    repeats: true,
    summary: 'Order a fulfillment of items',
  },
  importFulfillmentsCsv: {
    method: 'POST',
    path: '/fulfillments/csv',
    form: csvForm,
    response: fulfillmentCsvResult,
    repeats: true,
    summary: 'Order fulfillments from CSV, one for each row; invalid rows are returned',
  },
  cancelFulfillment: {
    method: 'POST',
    path: '/fulfillments/{fulfillment_id}/cancel',
    opaque: true,
    response: fulfillment,
    conflicts: true,
    summary: 'Cancel a fulfillment before it is picked',
  },
  listTransfers: {
    path: '/transfers',
    ...paged({ status: filter(transferStatus, 'transfers with this status', 'requested') }),
    response: transfer,
    summary: 'List transfers, newest first',
  },
  getTransfer: {
    method: 'GET',
    path: '/transfers/{transfer_id}',
    response: transfer,
    summary: 'Get a transfer',
  },
  requestTransfer: {
    method: 'POST',
    path: '/transfers',
    body: transferCreate,
    namesItems: true,
    creates: true,
    response: transfer,
    conflicts: true,
    extension: true,
    summary: 'Offer items for sell-back',
  },
  cancelTransfer: {
    method: 'POST',
    path: '/transfers/{transfer_id}/cancel',
    response: transfer,
    conflicts: true,
    extension: true,
    summary: 'Cancel a requested transfer',
  },
} as const satisfies Record<string, Row>
