import { parsedJson } from '../contract/call.ts'
import { signatureMinutesMax } from '../contract/limits.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'
import { runtime } from '../runtime/runtime.ts'

export type WebhookRequest = {
  /** The raw body as received. If it was parsed and serialized again, the signature does not match. */
  body: string | Uint8Array
  /** From Node.js (`request.headers`) or the web (`Headers`). */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The subscription's secret, `whsec_…`; both secrets during a rotation. */
  secret: string | readonly string[]
  /** Maximum clock difference, in seconds (default: 300). */
  toleranceSeconds?: number | undefined
}

/** The request must not be trusted. */
export class WebhookVerificationError extends Error {
  readonly reason: 'headers' | 'signature' | 'timestamp' | 'body'
  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}

/**
 * Returns a signed event (Standard Webhooks 1.0), which may arrive twice: compare its `id`. Throws `WebhookVerificationError`, or
 * `TypeError` for no secret, an invalid one, or a parsed body.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { headers, body, secret, toleranceSeconds = 60 * signatureMinutesMax } = request
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !signatures || !/^\d{1,11}$/.test(timestamp ?? ''))
    throw new WebhookVerificationError(
      'headers',
      'The header webhook-id, webhook-timestamp, or webhook-signature is missing or invalid.',
    )
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError(
      'body: give the text or bytes of the request, as they were before anything parsed them.',
    )
  const signed = await new Blob([`${id}.${timestamp}.`, body as string | Bytes]).arrayBuffer()
  const keys = [secret].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('secret: give at least one.')
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookVerificationError(
      'signature',
      'The signature does not match. Check the secret, and pass the raw request body, byte for byte.',
    )
  const age = Math.abs(runtime.clock() / 1000 - Number(timestamp))
  if (age > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp',
      `The signature is ${Math.round(age)} seconds off. Someone may be replaying an old request.`,
    )
  const event = parsedJson(typeof body === 'string' ? body : new TextDecoder().decode(body))
  if (event === undefined) throw new WebhookVerificationError('body', 'The body is not JSON.')
  return event as WebhookEvent
}

type Bytes = Uint8Array<ArrayBuffer>

async function isSigned(signed: ArrayBuffer, signatures: string, keys: readonly Bytes[]): Promise<boolean> {
  const given = signatures.split(' ').flatMap((each) => bytesOf(/^v1,(.+)$/.exec(each)?.[1]) ?? [])
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify'])
    for (const one of given) if (await crypto.subtle.verify('HMAC', key, one, signed)) return true
  }
  return false
}

const hmac = { name: 'HMAC', hash: 'SHA-256' }

function keyOf(secret: string): Bytes {
  const key = bytesOf(typeof secret === 'string' ? secret.replace(/^whsec_/, '') : undefined)
  if (key === undefined || key.length === 0)
    throw new TypeError('The secret must be base64, with or without the prefix whsec_.')
  return key
}

function bytesOf(base64: string | undefined): Bytes | undefined {
  if (base64 === undefined) return undefined
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value[0] : value
}
