import * as z from 'zod/mini'
import { addressFieldMax, instructionsMax, itemsPerOrderMax, orderLinesMax } from '../limits.ts'
import { once } from '../once.ts'
import { answered, date, dateTime, externalRef, qid, sent, sku, text, uuid } from '../primitives.ts'
import {
  fulfillmentStatus,
  fulfillmentType,
  processingStage,
  transferStatus,
  transferType,
} from '../vocabulary.ts'
import { csvResult } from './error.ts'

export const shippingAddress = answered(() => ({
  recipient_name: z.string(),
  street: z.string(),
  street_2: z.nullable(z.string()),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
}))
export type ShippingAddress = z.infer<ReturnType<typeof shippingAddress>>

export const fulfillmentIssue = answered(() => ({
  code: z.string(),
  message: z.string(),
  occurred_at: dateTime(),
}))
export type FulfillmentIssue = z.infer<ReturnType<typeof fulfillmentIssue>>

/** 2.7; `shipping_address` and `issue` are null if missing (decisions 2). */
export const fulfillment = answered(() => ({
  id: uuid(),
  qids: z.array(qid()),
  status: fulfillmentStatus(),
  processing_stage: z.nullable(processingStage()),
  shipping_address: z.nullable(shippingAddress()),
  carrier: z.nullable(z.string()),
  service: z.nullable(z.string()),
  tracking_number: z.nullable(z.string()),
  tracking_url: z.nullable(z.url()),
  issue: z.nullable(fulfillmentIssue()),
  external_ref: z.nullable(z.string()),
  created_at: dateTime(),
  updated_at: dateTime(),
  type: fulfillmentType(),
  special_instructions: z.nullable(z.string()),
  deliver_by: z.nullable(date()),
  verified_address_id: z.nullable(uuid()),
}))
export type Fulfillment = z.infer<ReturnType<typeof fulfillment>>

const addressField = once(() => text(addressFieldMax))

export const shippingAddressCreate = sent(() => ({
  recipient_name: addressField(),
  street: addressField(),
  street_2: z.optional(z.nullable(addressField())),
  city: addressField(),
  state: addressField(),
  zip: addressField(),
  country: addressField(),
}))

const orderedQuantity = once(() => z.int().check(z.gte(1), z.lte(itemsPerOrderMax)))

export const orderLine = sent(() => ({
  sku: z.optional(sku()),
  quantity: z.optional(orderedQuantity()),
  qid: z.optional(qid()),
}))

const qids = once(() => z.array(qid()).check(z.minLength(1), z.maxLength(itemsPerOrderMax)))

/** `qids`, or `sku` and `quantity`, or `lines` of either (decisions 10, 13); the engine rejects every mixture. */
export const fulfillmentCreate = sent(() => ({
  qids: z.optional(qids()),
  sku: z.optional(sku()),
  quantity: z.optional(orderedQuantity()),
  lines: z.optional(z.array(orderLine()).check(z.minLength(1), z.maxLength(orderLinesMax))),
  shipping_address: shippingAddressCreate(),
  type: z._default(fulfillmentType(), 'standard'),
  external_ref: z.optional(z.nullable(externalRef())),
  special_instructions: z.optional(z.nullable(text(instructionsMax))),
  deliver_by: z.optional(z.nullable(date())),
}))
export type FulfillmentCreate = z.infer<ReturnType<typeof fulfillmentCreate>>

export const fulfillmentCsvResult = once(() => csvResult(fulfillment()))

/** 2.8 */
export const transfer = answered(() => ({
  id: uuid(),
  qids: z.array(qid()),
  status: transferStatus(),
  type: transferType(),
  external_ref: z.nullable(z.string()),
  created_at: dateTime(),
  updated_at: dateTime(),
}))
export type Transfer = z.infer<ReturnType<typeof transfer>>

export const transferCreate = sent(() => ({
  qids: qids(),
  external_ref: z.optional(z.nullable(externalRef())),
}))
export type TransferCreate = z.infer<ReturnType<typeof transferCreate>>
