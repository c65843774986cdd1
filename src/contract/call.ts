import type { OperationId } from './operations.ts'

/** `bytes`: the whole file (at most `csvFileBytesMax`). */
export type FormFile = { name: string; bytes: Uint8Array }

export type CallBody =
  | { kind: 'empty' }
  | { kind: 'json'; text: string }
  | { kind: 'form'; fields: ReadonlyArray<readonly [string, string]>; files: readonly FormFile[] }

/** Called before each piece of a body is read. May throw, which stops reading. */
export type CountBytes = (bytes: number) => void

/** The body is read on demand, so that a rejected key never costs an upload. `allow`: a path's methods, if no route has it. */
export type Call = {
  operation: OperationId | undefined
  params: Readonly<Record<string, string>>
  query: ReadonlyArray<readonly [string, string]>
  /** Lower-case names; an array if a header was sent more than once. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: (count?: CountBytes) => Promise<CallBody>
  address?: string
  /** The root of version 1 as the client addressed it, without a trailing slash; page links start with it. */
  baseUrl: string
  allow?: readonly string[]
  /** Called with a response's size before it is rendered; may throw. Its result becomes the reply's `sent`. */
  makeRoom?: (bytes: number) => (() => void) | undefined
  signal?: AbortSignal
  /** Transports do not retry the call: the caller does. */
  isTriedOnce?: true
}

export type Coding = 'zstd' | 'gzip'

export type Reply = {
  status: number
  headers: Record<string, string>
  body: string
  /** The body in pieces, if it is long: a single string would be copied on first use. */
  pieces?: readonly string[]
  /** Without a coding, the body as it is. `bytes`: the whole encoded body, if it is short or the same for all clients. */
  encoded?: { coding?: Coding | undefined; bytes?: Uint8Array }
  /** To be called once the response is sent or abandoned: until then its bytes count as in progress. */
  sent?: () => void
  /** A proxy answered: this request, or an earlier attempt, may still have been carried out. */
  isInDoubt?: true
  /** The next step if the outcome is in doubt. */
  advice?: string
  /** An earlier attempt may have been carried out, so a replayed result may be this call's own. */
  isRepeat?: true
}

/** Implemented over HTTP and in process (architecture, idea 2). */
export type Transport = (call: Call) => Promise<Reply>

/** JSON that is rendered once (architecture, idea 4). */
export type Json<T> = string & { readonly __json?: T }

export function json<T>(value: T): Json<T> {
  return JSON.stringify(value)
}

/** Undefined if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type RetryHeaders = { 'retry-after'?: string | undefined; date?: string | undefined }

/** From seconds or an HTTP date; a date counts from the response's own `Date`, the sender's clock, or else from `now`. */
export function retryAfterMs(headers: Readonly<RetryHeaders>, now: number): number | undefined {
  const told = headers['retry-after']?.trim() ?? ''
  const sentAt = Date.parse(headers.date ?? '')
  const from = Number.isNaN(sentAt) ? now : sentAt
  const ms = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - from
  return ms > 0 ? ms : undefined
}

/** Messages that the service sends and the document shows as examples. */
export const invalidKeyMessage = 'The API key is missing or not valid. Send it once, in the header X-API-Key.'
export const faultMessage =
  'Something went wrong on our side. Try again; if it happens again, report the request id.'
export const unavailableMessage = 'The service cannot use its database right now.'
export const unchangedMessage = 'Nothing was changed; try again.'
