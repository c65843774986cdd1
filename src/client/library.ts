import type { Transport } from '../contract/call.ts'
import type { BodyInput, OperationId } from '../contract/operations.ts'
import { newUuid } from '../runtime/runtime.ts'
import { baseUrlFault, rootOf, withoutSecrets } from './base-url.ts'
import { type Client as AnyClient, type Request as AnyRequest, createClient as clientOver } from './client.ts'
import { createFetchTransport, type Fetch } from './fetch-transport.ts'
import { ownAnswer } from './foreign-answer.ts'
import { type Retry, retrying } from './retrying.ts'

// The public API of `custody/client`; docs/client.md describes it and its version policy.
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
export { ServiceError } from './client.ts'
export { NetworkError, type NetworkFault } from './network-error.ts'
export type { Retry } from './retrying.ts'
export { verifyWebhook, type WebhookRequest, WebhookVerificationError } from './verify-webhook.ts'
export { getWholeManifest, getWholeReport } from './whole-manifest.ts'

type OneOf<T, Names extends PropertyKey> = {
  [Name in Names & keyof T]: Omit<T, Names> &
    Required<Pick<T, Name>> & { [Other in Exclude<Names & keyof T, Name>]?: undefined }
}[Names & keyof T]
type Line =
  | { qid: string; sku?: undefined; quantity?: undefined }
  | { sku: string; quantity: number; qid?: undefined }
type Order = OneOf<
  Omit<BodyInput<'createFulfillment'>, 'lines'> & { lines?: Line[] },
  'qids' | 'sku' | 'lines'
>

export type Request<Id extends OperationId> = Id extends 'createFulfillment'
  ? Omit<AnyRequest<Id>, 'body'> & { body: Order }
  : AnyRequest<Id>

/** One method per operation; the method of a list has `all`, which walks its pages. */
export type Client = Omit<AnyClient, 'createFulfillment'> & {
  createFulfillment: (request: Request<'createFulfillment'>) => ReturnType<AnyClient['createFulfillment']>
}

export type ServiceOptions = {
  /** The service's root, such as `https://custody.example.com/v1`; `/v1` is added to a bare host. */
  baseUrl: string
  apiKey: string
  /** Maximum milliseconds for all attempts of a call; 0: one attempt. Default: attempts start for two minutes and end by ten. */
  maxWaitMs?: number | undefined
  /** Called before each wait for another attempt. */
  onRetry?: ((retry: Retry) => void) | undefined
  userAgent?: string | undefined
  /** Default: the platform's `fetch`. */
  fetch?: Fetch | undefined
}

export type TransportOptions = {
  /** Carries every call, including any retries; page links begin with `baseUrl`. */
  transport: Transport
  baseUrl: string
  newIdempotencyKey?: (() => string) | undefined
}

/**
 * Creates a client with one method per operation. Temporary failures are retried with the same Idempotency-Key, so that nothing
 * is done twice. Throws `TypeError` if `baseUrl` is not valid.
 */
export function createClient(options: ServiceOptions | TransportOptions): Client {
  const { baseUrl = '' } = options
  const fault = baseUrlFault(baseUrl)
  if (fault !== undefined) throw new TypeError(`baseUrl: "${withoutSecrets(baseUrl)}" ${fault}`)
  const transport = 'transport' in options ? options.transport : serviceTransport(options)
  return clientOver({
    baseUrl: rootOf(baseUrl),
    transport: async (call) => ownAnswer(await transport(call)),
    newIdempotencyKey: ('transport' in options && options.newIdempotencyKey) || newUuid,
  })
}

function serviceTransport(options: ServiceOptions): Transport {
  const { fetch = globalThis.fetch, maxWaitMs, onRetry, ...sender } = options
  return retrying(createFetchTransport({ ...sender, fetch }), { maxWaitMs, onRetry })
}
