import * as z from 'zod/mini'
import { csvBatchTotals, csvRowError, errorBody, internalError } from '../resources/error.ts'
import {
  delivery,
  eventPage,
  replayed,
  replayRequest,
  rotateSecret,
  subscription,
  subscriptionCreate,
  subscriptionUpdate,
  subscriptionWithSecret,
  webhookEvent,
  webhookEvents,
} from '../resources/event.ts'
import {
  fulfillment,
  fulfillmentCreate,
  fulfillmentCsvResult,
  fulfillmentIssue,
  shippingAddress,
  shippingAddressCreate,
  transfer,
  transferCreate,
} from '../resources/fulfillment.ts'
import {
  imageAsset,
  intakeEvent,
  inventoryLevel,
  item,
  itemCounts,
  itemSummary,
  productItem,
  slabItem,
} from '../resources/item.ts'
import * as manifests from '../resources/manifest.ts'
import { pageOf } from '../resources/page.ts'
import {
  dimensions,
  dimensionsCreate,
  product,
  productCreate,
  productCsvResult,
  weight,
  weightCreate,
} from '../resources/product.ts'
import * as sandbox from '../resources/sandbox.ts'
import * as words from '../vocabulary.ts'

/** The names that schemas have in the OpenAPI document; the specification's own where it gives one (part 2). */
export const components = z.registry<{ id: string }>()

const vocabularies: Record<string, z.ZodMiniType> = {
  ManifestSource: words.manifestSource(),
  ManifestStatus: words.manifestStatus(),
  ManifestLineStatus: words.lineStatus(),
  MatchKey: words.matchKey(),
  DimensionUnit: words.dimensionUnit(),
  WeightUnit: words.weightUnit(),
  ItemType: words.itemType(),
  ItemStatus: words.itemStatus(),
  KnownItemStatus: words.knownItemStatus(),
  ImageVariant: words.imageVariant(),
  ImageFormat: words.imageFormat(),
  FulfillmentStatus: words.fulfillmentStatus(),
  ProcessingStage: words.processingStage(),
  FulfillmentType: words.fulfillmentType(),
  TransferStatus: words.transferStatus(),
  TransferType: words.transferType(),
  WebhookEventType: words.webhookEventType(),
  DeliveryStatus: words.deliveryStatus(),
  ReceiveOutcome: sandbox.receiveOutcome(),
  ErrorCode: words.errorCode(),
}

const sent: Record<string, z.ZodMiniType> = {
  ManifestCreate: manifests.manifestCreate(),
  ManifestLineCreate: manifests.manifestLineCreate(),
  ProductCreate: productCreate(),
  DimensionsCreate: dimensionsCreate(),
  WeightCreate: weightCreate(),
  FulfillmentCreate: fulfillmentCreate(),
  ShippingAddressCreate: shippingAddressCreate(),
  TransferCreate: transferCreate(),
  WebhookSubscriptionCreate: subscriptionCreate(),
  WebhookSubscriptionUpdate: subscriptionUpdate(),
  SecretRotation: rotateSecret(),
  ReplayRequest: replayRequest(),
  ItemAdvance: sandbox.itemAdvance(),
  Arrival: sandbox.arrival(),
  IntakesCreate: sandbox.intakesCreate(),
  ManifestReceive: sandbox.receive(),
  ReceivedLine: sandbox.receivedLine(),
  FulfillmentAdvance: sandbox.fulfillmentAdvance(),
  FulfillmentIssueCreate: sandbox.issueCreate(),
  TransferResolve: sandbox.transferResolve(),
  ClockAdvance: sandbox.clockAdvance(),
}

const answered: Record<string, z.ZodMiniType> = {
  Manifest: manifests.manifest(),
  ManifestLine: manifests.manifestLine(),
  ManifestWithLines: manifests.manifestWithLines(),
  ManifestCsvResult: manifests.manifestCsvResult(),
  ManifestReport: manifests.manifestReport(),
  ManifestReportLine: manifests.reportLine(),
  UnexpectedItem: manifests.unexpectedItem(),
  Reconciliation: manifests.reconciliation(),
  ReconciliationTotals: manifests.reconciliationTotals(),
  Product: product(),
  Dimensions: dimensions(),
  Weight: weight(),
  ProductCsvResult: productCsvResult(),
  InventoryLevel: inventoryLevel(),
  Item: item(),
  GradedSlabItem: slabItem(),
  ProductItem: productItem(),
  ImageAsset: imageAsset(),
  IntakeEvent: intakeEvent(),
  ItemSummary: itemSummary(),
  ItemCounts: itemCounts(),
  Fulfillment: fulfillment(),
  ShippingAddress: shippingAddress(),
  FulfillmentIssue: fulfillmentIssue(),
  FulfillmentCsvResult: fulfillmentCsvResult(),
  Transfer: transfer(),
  WebhookEvent: webhookEvent(),
  EventPage: eventPage(),
  WebhookSubscription: subscription(),
  WebhookSubscriptionWithSecret: subscriptionWithSecret(),
  Delivery: delivery(),
  Replay: replayed(),
  IntakesCreated: sandbox.intakesCreated(),
  Clock: sandbox.clock(),
  OpenApiDocument: sandbox.openApi(),
  Error: errorBody(),
  InternalError: internalError(),
  CsvRowError: csvRowError(),
  CsvBatchTotals: csvBatchTotals(),
}

const paged = [
  'Manifest',
  'Product',
  'InventoryLevel',
  'Item',
  'IntakeEvent',
  'Fulfillment',
  'Transfer',
  'WebhookSubscription',
  'Delivery',
]
for (const name of paged) answered[`${name}Page`] = pageOf(answered[name] as z.ZodMiniType)

/** As in `ItemIntakeCompletedEvent`. */
for (const [type, schema] of Object.entries(webhookEvents())) answered[eventName(type)] = schema

for (const [id, schema] of Object.entries({ ...vocabularies, ...sent, ...answered }))
  components.add(schema, { id })

/** The name of the schema of an event's type. */
function eventName(type: string): string {
  const words = type.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Event`
}
