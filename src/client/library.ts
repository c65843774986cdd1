import type { Transport } from '../contract/call.ts'
import type { BodyInput, OperationId } from '../contract/operations.ts'
import { newUuid } from '../runtime/identifiers.ts'
import { runtime } from '../runtime/runtime.ts'
import { sleep } from '../runtime/waiting.ts'
import { baseUrlFault, rootOf, withoutSecrets } from './base-url.ts'
import { type Client as AnyClient, type Request as AnyRequest, createClient as clientOver } from './client.ts'
import { createFetchTransport, type Fetch } from './fetch-transport.ts'
import { type Retry, retrying } from './retrying.ts'

// What `custody/client` gives: the page is docs/client.md, which also says what its versions promise.
export type { Call, CallBody, Reply, Transport } from '../contract/call.ts'
export type { OperationId } from '../contract/operations.ts'
export type { CsvRowError } from '../contract/resources/error.ts'
export type { Delivery, Subscription, WebhookEvent as CustodyEvent } from '../contract/resources/event.ts'
export type {
  Fulfillment,
  FulfillmentIssue,
  ShippingAddress,
  Transfer,
} from '../contract/resources/fulfillment.ts'
export type {
  ImageAsset,
  IntakeEvent,
  InventoryLevel,
  Item,
  ItemSummary,
} from '../contract/resources/item.ts'
export type {
  Manifest,
  ManifestCreate,
  ManifestLine,
  ManifestLineCreate,
  ManifestReport,
  ManifestWithLines,
  Reconciliation,
  ReportLine,
  UnexpectedItem,
} from '../contract/resources/manifest.ts'
export type { Product, ProductCreate } from '../contract/resources/product.ts'
export type { Answer, DataOf, FileInput, Page } from './client.ts'
export { NetworkError, type NetworkFault } from './network-error.ts'
export type { Retry } from './retrying.ts'
export { ServiceError } from './service-error.ts'
export { verifyWebhook, type WebhookRequest, WebhookVerificationError } from './verify-webhook.ts'
export { getWholeManifest, getWholeReport } from './whole-manifest.ts'

/** Of `Names`, an object has exactly one. */
type OneOf<T, Names extends PropertyKey> = {
  [Name in Names & keyof T]: Omit<T, Names> &
    Required<Pick<T, Name>> & { [Other in Exclude<Names & keyof T, Name>]?: undefined }
}[Names & keyof T]
/** What the schema says in words: an order names its items in one way. */
type Order = OneOf<BodyInput<'createFulfillment'>, 'qids' | 'sku' | 'lines'>

/** What one call of an operation takes. */
export type Request<Id extends OperationId> = Id extends 'createFulfillment'
  ? Omit<AnyRequest<Id>, 'body'> & { body: Order }
  : AnyRequest<Id>

/** One method per operation; the method of a list has `all`, which walks its pages. */
export type Client = Omit<AnyClient, 'createFulfillment'> & {
  createFulfillment: (request: Request<'createFulfillment'>) => ReturnType<AnyClient['createFulfillment']>
}

export type ServiceOptions = {
  /** The service's root, as `https://custody.example.com/v1`; `/v1` is added to a bare host. */
  baseUrl: string
  apiKey: string
  /**
   * How long all tries of one call may take together, in milliseconds. 0: one try. Left out: tries begin for two minutes, and
   * none runs on after ten.
   */
  maxWaitMs?: number
  /** Told before each wait for another try. */
  onRetry?: (retry: Retry) => void
  /** How this client names itself. */
  userAgent?: string
  /** The platform's own where it is left out. */
  fetch?: Fetch
}

export type TransportOptions = {
  /** Carries every call, and tries again if it wants to; `baseUrl` is what page links begin with. */
  transport: Transport
  baseUrl: string
  newIdempotencyKey?: () => string
}

/**
 * A client with one method for each operation of a service. Calls are tried again after what passes, with the same
 * Idempotency-Key, so that nothing is done twice. Throws `TypeError` where the address is none.
 */
export function createClient(options: ServiceOptions | TransportOptions): Client {
  const fault = baseUrlFault(options.baseUrl)
  if (fault !== undefined) throw new TypeError(`baseUrl: "${withoutSecrets(options.baseUrl)}" ${fault}`)
  return clientOver({
    baseUrl: rootOf(options.baseUrl),
    transport: 'transport' in options ? options.transport : serviceTransport(options),
    newIdempotencyKey: ('transport' in options && options.newIdempotencyKey) || newUuid,
  })
}

function serviceTransport({
  fetch = globalThis.fetch,
  maxWaitMs,
  onRetry,
  ...sender
}: ServiceOptions): Transport {
  return retrying(createFetchTransport({ ...sender, fetch }), {
    maxWaitMs,
    now: runtime.uptime,
    clock: runtime.clock,
    sleep,
    random: runtime.chance,
    ...(onRetry && { onRetry }),
  })
}
