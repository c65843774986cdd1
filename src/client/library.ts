import type { Transport } from '../contract/call.ts'
import { pageSizeMax } from '../contract/limits.ts'
import { newUuid } from '../runtime/identifiers.ts'
import { runtime } from '../runtime/runtime.ts'
import { sleep } from '../runtime/waiting.ts'
import { baseUrlFault, rootOf, withoutSecrets } from './base-url.ts'
import { type Answer, type Client, createClient as clientOver, type Page } from './client.ts'
import { createFetchTransport, type Fetch } from './fetch-transport.ts'
import { type Retry, retrying } from './retrying.ts'

// What `custody/client` gives: the page is docs/client.md, which also says what its versions promise.
export type { Call, CallBody, Reply, Transport } from '../contract/call.ts'
export type { OperationId } from '../contract/operations.ts'
export type { Answer, Client, DataOf, Page, Request } from './client.ts'
export { NetworkError, type NetworkFault } from './network-error.ts'
export type { Retry } from './retrying.ts'
export { ServiceError } from './service-error.ts'
export { getWholeManifest, getWholeReport } from './whole-manifest.ts'

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

/**
 * Every result of a list, page after page: `everyResult((page) => client.listItems({ query: { ...page, status: 'available' } }))`.
 * A list that changes while it is read may give a result twice, or miss one.
 */
export async function* everyResult<T>(
  list: (page: { page: number; page_size: number }) => Promise<Answer<Page<T>>>,
): AsyncGenerator<T, void, undefined> {
  for (let page: number | null = 1; page !== null; ) {
    const { data }: Answer<Page<T>> = await list({ page, page_size: pageSizeMax })
    yield* data.results
    page = data.next_page_number
  }
}
