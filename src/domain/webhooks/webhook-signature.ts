import { hmacSha256 } from '../computing.ts'

export const secretBytes = 32
const prefix = 'whsec_'

/** `whsec_` and the base64 of random bytes (decisions 9). */
export function makeSecret(random: Uint8Array): string {
  if (random.length !== secretBytes) throw new RangeError(`A secret takes ${secretBytes} random bytes.`)
  return prefix + Buffer.from(random).toString('base64')
}

/** One signature per secret (Standard Webhooks 1.0), so that receivers may know either during a rotation. */
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
