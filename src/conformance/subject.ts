import type { Reply, Transport } from '../contract/call.ts'

/** What is examined: a service, by the seam that every transport has, and the keys that may be used. */
export type Subject = {
  /** Sends the call's headers and no other: a call without `x-api-key` reaches the service without one. */
  transport: Transport
  /** The root of version 1, without a slash at the end. */
  baseUrl: string
  key: string
  /** A key of another partner in the same environment. */
  strangerKey?: string | undefined
  /** A valid key of the other environment. */
  otherEnvironmentKey?: string | undefined
  /** The same service for the production environment, with a key of it. */
  production?: { transport: Transport; key: string } | undefined
  /** The same service with a rate limit, where the subject itself is not to be held up by one. */
  limited?: { transport: Transport; key: string } | undefined
  /** Set over HTTP alone: a request that no call can say. */
  raw?: ((request: RawRequest) => Promise<Reply>) | undefined
}

/** A request of HTTP, as it goes over the wire. */
export type RawRequest = {
  method: string
  /** Below the root of version 1, or an absolute URL. */
  path: string
  /** An array sends the header once for each value. */
  headers?: Readonly<Record<string, string | readonly string[]>>
  body?: Uint8Array | string
}
