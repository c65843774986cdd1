import * as z from 'zod/mini'
import { csvBatchTotals, csvRowError, errorBody, internalError } from './resources/error.ts'
import { delivery, subscription, subscriptionWithSecret, webhookEvent } from './resources/event.ts'
import { fulfillment, fulfillmentIssue, shippingAddress, transfer } from './resources/fulfillment.ts'
import {
  imageAsset,
  intakeEvent,
  inventoryLevel,
  item,
  itemSummary,
  productItem,
  slabItem,
} from './resources/item.ts'
import {
  manifest,
  manifestLine,
  manifestLineCreate,
  manifestReport,
  manifestWithLines,
  reconciliation,
} from './resources/manifest.ts'
import { product, productCreate } from './resources/product.ts'
import { clock } from './resources/sandbox.ts'

/** The names that schemas have in the OpenAPI document; the specification's own where it gives one (part 2). */
export const components = z.registry<{ id: string }>()

const named: Record<string, z.ZodMiniType> = {
  Manifest: manifest(),
  ManifestLine: manifestLine(),
  ManifestLineCreate: manifestLineCreate(),
  ManifestWithLines: manifestWithLines(),
  ManifestReport: manifestReport(),
  Reconciliation: reconciliation(),
  Product: product(),
  ProductCreate: productCreate(),
  Item: item(),
  GradedSlabItem: slabItem(),
  ProductItem: productItem(),
  ImageAsset: imageAsset(),
  IntakeEvent: intakeEvent(),
  ItemSummary: itemSummary(),
  InventoryLevel: inventoryLevel(),
  Fulfillment: fulfillment(),
  ShippingAddress: shippingAddress(),
  FulfillmentIssue: fulfillmentIssue(),
  Transfer: transfer(),
  WebhookEvent: webhookEvent(),
  WebhookSubscription: subscription(),
  WebhookSubscriptionWithSecret: subscriptionWithSecret(),
  Delivery: delivery(),
  Clock: clock(),
  Error: errorBody(),
  InternalError: internalError(),
  CsvRowError: csvRowError(),
  CsvBatchTotals: csvBatchTotals(),
}

for (const [id, schema] of Object.entries(named)) components.add(schema, { id })
