import type { Transport } from '../contract/call.ts'
import { randomHex } from '../runtime/identifiers.ts'
import { wireBody } from './form-data.ts'
import { networkErrorOf } from './network-error.ts'
import { addressOf, headersOf, methodOf, plainHeaders, type Sender } from './wire-request.ts'

export type Fetch = typeof globalThis.fetch

/**
 * The seam over the `fetch` of whatever runs this: Node.js, Bun and Deno have one. Redirects are answers like any other, never
 * followed: a key must not travel on. Throws `NetworkError` where no answer came, and the signal's reason where it was aborted.
 */
export function createFetchTransport(options: Sender & { fetch: Fetch }): Transport {
  return async (call) => {
    const url = addressOf(call)
    const body = wireBody(await call.body(), `custody-${randomHex(16)}`)
    const headers = new Headers(plainHeaders(headersOf(call, body, options)))
    try {
      const { fetch } = options
      const answer = await fetch(url, {
        method: methodOf(call),
        headers,
        body: body ? new Blob(body.chunks as Uint8Array<ArrayBuffer>[]) : null,
        redirect: 'manual',
        signal: call.signal ?? null,
      })
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: await answer.text(),
      }
    } catch (error) {
      call.signal?.throwIfAborted()
      throw networkErrorOf(causeOf(error), url.origin)
    }
  }
}

/** What went wrong below: `fetch` itself says only that it failed. */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error
}
