import type { Reply, Transport } from '../contract/call.ts'

export type Subject = {
  /** Sends only the call's own headers: a call without `x-api-key` reaches the service without one. */
  transport: Transport
  /** The root of version 1, without a trailing slash. */
  baseUrl: string
  key: string
  /** A key of another partner in the same environment. */
  strangerKey?: string | undefined
  otherEnvironmentKey?: string | undefined
  production?: { transport: Transport; key: string } | undefined
  /** The same service with a rate limit, if the subject itself has none so that it is not slowed down. */
  limited?: { transport: Transport; key: string } | undefined
  /** Only over HTTP: sends a request that a `Call` cannot express. */
  raw?: ((request: RawRequest) => Promise<Reply>) | undefined
}

export type RawRequest = {
  method: string
  /** Below the root of version 1, or an absolute URL. */
  path: string
  /** An array sends the header once for each value. */
  headers?: Readonly<Record<string, string | readonly string[]>>
  body?: Uint8Array | string
}
