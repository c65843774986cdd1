import * as z from 'zod/mini'
import type { Operation } from '../operation.ts'
import { paging, qid } from '../primitives.ts'
import { csvForm } from '../resources/error.ts'
import {
  fulfillment,
  fulfillmentCreate,
  fulfillmentCsvResult,
  transfer,
  transferCreate,
} from '../resources/fulfillment.ts'
import { sent } from '../schema.ts'
import { fulfillmentStatus, transferStatus } from '../vocabulary.ts'

export const orderOperations = {
  listFulfillments: {
    method: 'GET',
    path: '/fulfillments',
    query: sent(() => ({
      ...paging(),
      status: z.optional(fulfillmentStatus()),
      external_ref: z.optional(z.string()),
      /** A JSON array: whoever has many references would ask many times. */
      external_refs: z.optional(z.string()),
      qid: z.optional(qid()),
    })),
    success: 200,
    response: fulfillment,
    paged: true,
    errors: [400, 401, 429],
    extension: true,
    summary: 'List fulfillments, newest first',
  },
  getFulfillment: {
    method: 'GET',
    path: '/fulfillments/{fulfillment_id}',
    params: { fulfillment_id: 'opaque' },
    success: 200,
    response: fulfillment,
    errors: [401, 404, 429],
    summary: 'Get a fulfillment',
  },
  createFulfillment: {
    method: 'POST',
    path: '/fulfillments',
    body: fulfillmentCreate,
    success: 201,
    response: fulfillment,
    errors: [400, 401, 404, 409, 429],
    extension: true,
    brief: true,
    summary: 'Order a shipment of items',
  },
  importFulfillmentsCsv: {
    method: 'POST',
    path: '/fulfillments/csv',
    form: csvForm,
    success: 200,
    response: fulfillmentCsvResult,
    errors: [400, 401, 429],
    summary: 'Order shipments from CSV, a row each; invalid rows are returned',
  },
  cancelFulfillment: {
    method: 'POST',
    path: '/fulfillments/{fulfillment_id}/cancel',
    params: { fulfillment_id: 'opaque' },
    success: 200,
    response: fulfillment,
    errors: [401, 404, 409, 429],
    brief: true,
    summary: 'Cancel a fulfillment that has not been picked',
  },
  listTransfers: {
    method: 'GET',
    path: '/transfers',
    query: sent(() => ({ ...paging(), status: z.optional(transferStatus()) })),
    success: 200,
    response: transfer,
    paged: true,
    errors: [400, 401, 429],
    summary: 'List transfers, newest first',
  },
  getTransfer: {
    method: 'GET',
    path: '/transfers/{transfer_id}',
    params: { transfer_id: 'uuid' },
    success: 200,
    response: transfer,
    errors: [400, 401, 404, 429],
    summary: 'Get a transfer',
  },
  requestTransfer: {
    method: 'POST',
    path: '/transfers',
    body: transferCreate,
    success: 201,
    response: transfer,
    errors: [400, 401, 404, 409, 429],
    extension: true,
    brief: true,
    summary: 'Ask to sell items back',
  },
  cancelTransfer: {
    method: 'POST',
    path: '/transfers/{transfer_id}/cancel',
    params: { transfer_id: 'uuid' },
    success: 200,
    response: transfer,
    errors: [400, 401, 404, 409, 429],
    extension: true,
    brief: true,
    summary: 'Cancel a requested transfer',
  },
} as const satisfies Record<string, Operation>
