import { hmacSha256 } from '../computing.ts'

/** Bytes that `makeSecret` takes. */
export const secretBytes = 32
const prefix = 'whsec_'

/** A subscription's secret (decisions 9): `whsec_` and the base64 of random bytes. */
export function makeSecret(random: Uint8Array): string {
  if (random.length !== secretBytes) throw new RangeError(`A secret takes ${secretBytes} random bytes.`)
  return prefix + Buffer.from(random).toString('base64')
}

/**
 * The headers of Standard Webhooks 1.0 for a payload at a time (milliseconds): one signature for each secret, so that
 * a receiver that knows only one of them is content while a rotation's grace runs.
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  payload: string,
  atMs: number,
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const seconds = String(Math.floor(atMs / 1000))
  const content = `${id}.${seconds}.${payload}`
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret, content)}`).join(' '),
  }
}

function sign(secret: string, content: string): string {
  return hmacSha256(Buffer.from(secret.slice(prefix.length), 'base64'), content)
}
