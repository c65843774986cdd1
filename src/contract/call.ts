import type { OperationId } from './operations.ts'

/** Names as they stand in a multipart form; `bytes` is the file whole (at most `csvFileBytesMax`). */
export type FormFile = { name: string; bytes: Uint8Array }

export type CallBody =
  | { kind: 'empty' }
  | { kind: 'json'; text: string }
  | { kind: 'form'; fields: ReadonlyArray<readonly [string, string]>; files: readonly FormFile[] }

/** Told of bytes of a body before they are read; may throw, and then nothing more is read. */
export type CountBytes = (bytes: number) => void

/**
 * One request as plain values. `operation` is undefined where no route has the path; `allow` then holds the
 * methods that the path does have. The body is read on demand: a refused key never costs an upload.
 */
export type Call = {
  operation: OperationId | undefined
  params: Readonly<Record<string, string>>
  query: ReadonlyArray<readonly [string, string]>
  /** Lower-case names; an array where a header was sent more than once. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: (count?: CountBytes) => Promise<CallBody>
  /** Where it came from; left out by what calls the service in this process. */
  address?: string
  /** The root of version 1 as the client addressed it, without a slash at the end; page links start with it. */
  baseUrl: string
  allow?: readonly string[]
  /** Told of an answer's bytes before it is made; may throw. What it answers is `sent` of the reply. */
  makeRoom?: (bytes: number) => (() => void) | undefined
  signal?: AbortSignal
  /** Not tried again on the way: the caller itself waits out what passes. */
  isTriedOnce?: true
}

/** How an answer may be compressed on its way. */
export type Coding = 'zstd' | 'gzip'

export type Reply = {
  status: number
  headers: Record<string, string>
  body: string
  /** The same in pieces, where it is long: of it as a whole all would be copied at once, when it is first read. */
  pieces?: readonly string[]
  /** How the body goes over HTTP; without a coding, as it is. `bytes`: all of it so, where it is short, or the same for everybody. */
  encoded?: { coding?: Coding | undefined; bytes?: Uint8Array }
  /** To be called when the answer was taken, or is given up: until then its bytes count as under way. */
  sent?: () => void
  /** It came for as long as the caller was ready to wait for another. */
  isWaitedOut?: true
  /** Of what stood in between: this request, or an earlier try of it, may have been carried out all the same. */
  isInDoubt?: true
  /** An earlier try of this request may have been carried out: a stored result may be its own. */
  isRepeat?: true
}

/** The seam: HTTP and embedded are two implementations of this (architecture, idea 2). */
export type Transport = (call: Call) => Promise<Reply>

/** The exact JSON bytes of a `T`, rendered once (architecture, idea 4). */
export type Json<T> = string & { readonly __json?: T }

export function json<T>(value: T): Json<T> {
  return JSON.stringify(value)
}

/** The value of a JSON text; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A part of an answer that is JSON already. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Of an answer's headers, those that say when to ask again. */
export type RetryHeaders = { 'retry-after'?: string | undefined; date?: string | undefined }

/**
 * Milliseconds that an answer's `Retry-After` asks for, seconds or an HTTP date; undefined where it says nothing of use. A date
 * is told by the clock of whoever sent it: it counts from the answer's own `Date`, else from `now` (milliseconds since 1970).
 */
export function retryAfterMs(headers: Readonly<RetryHeaders>, now: number): number | undefined {
  const told = headers['retry-after']?.trim() ?? ''
  const sentAt = Date.parse(headers.date ?? '')
  const from = Number.isNaN(sentAt) ? now : sentAt
  const ms = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - from
  return ms > 0 ? ms : undefined
}

/** Messages of refusals and faults that the document shows as examples: what the service says and what is shown are the same. */
export const invalidKeyMessage = 'The API key is missing or not valid. Send it once, in the header X-API-Key.'
export const faultMessage =
  'Something went wrong on our side. Try again; if it happens again, report the request id.'
export const unavailableMessage = 'The service cannot use its database right now.'
export const unchangedMessage = 'Nothing was changed; try again.'
