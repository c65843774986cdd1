import type { Transport } from '../contract/call.ts'
import { randomHex } from '../runtime/runtime.ts'
import { answerBytesMax, type Pieces, soundText, textOf } from './foreign-answer.ts'
import { NetworkError, networkErrorOf } from './network-error.ts'
import { addressOf, headersOf, idOf, methodOf, plainHeaders, type Sender, wireBody } from './wire-request.ts'

/** What is needed of `fetch`, because a package's own, such as undici's, has its own types. */
export type Fetch = (url: URL, init: FetchInit) => Promise<Response | FetchAnswer>
type FetchInit = {
  method: string
  headers: Record<string, string>
  body: ArrayBuffer | null
  redirect: 'manual'
  signal: AbortSignal | null
}
type FetchAnswer = { status: number; headers: Iterable<[string, string]>; body: Pieces | null }

/** Never follows redirects, which would send the key elsewhere. Throws `NetworkError`, or the signal's reason. */
export function createFetchTransport(options: Sender & { fetch: Fetch }): Transport {
  return async (call) => {
    const url = addressOf(call)
    const body = wireBody(await call.body(), `custody-${randomHex(16)}`)
    const headers = sendable(plainHeaders(headersOf(call, body, options)), url.origin)
    try {
      const { fetch } = options
      const answer = await fetch(url, {
        method: methodOf(call),
        headers,
        body: body ? await new Blob(body.chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer() : null,
        redirect: 'manual',
        signal: call.signal ?? null,
      })
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: soundText(
          await textOf(answer.body ?? [], answerBytesMax(idOf(call), answer.status), url.origin),
          url.origin,
        ),
      }
    } catch (error) {
      call.signal?.throwIfAborted()
      const cause = error instanceof NetworkError ? error : causeOf(error)
      // The platform's list of ports that are not for HTTP: nothing was sent.
      if (cause instanceof Error && cause.message === 'bad port')
        throw new NetworkError('unsendable', `Port ${url.port} of ${url.origin} is blocked by fetch`, error)
      throw networkErrorOf(cause, url.origin)
    }
  }
}

function sendable(headers: Record<string, string>, origin: string): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers))
  } catch {
    // The error's message repeats the value, which may be the key.
    throw new NetworkError('unsendable', `The request to ${origin} contains characters that HTTP cannot send`)
  }
}

/** The cause: the error of `fetch` itself gives no reason. */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error
}
