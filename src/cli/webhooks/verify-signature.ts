import { CliError, usage } from '../base/cli-error.ts'
import type { SignedHeaders } from './signed-headers.ts'

/**
 * Checks a payload against its signatures as receivers do (Standard Webhooks 1.0); one good one of several is enough. Times are
 * milliseconds. Answers when it was sent, in ISO 8601. Throws `invalid` saying why it is not valid.
 */
export async function verifySignature(
  payload: string,
  { id, timestamp, signature }: SignedHeaders,
  secret: string,
  { now, maxAgeMs }: { now: number; maxAgeMs: number },
): Promise<string> {
  if (!/^\d{1,11}$/.test(timestamp)) throw usage(`"${timestamp}" is not a time in seconds, as in 1777626000.`)
  const sentAt = new Date(Number(timestamp) * 1000)
  const expected = await sign(secret, id, sentAt, payload)
  if (!signature.split(' ').includes(expected)) {
    throw new CliError(
      'invalid',
      'The signature is not valid: it was not made of this body and these headers with this secret.',
      {
        hint: 'The body must be byte for byte as it was received.',
      },
    )
  }
  const age = now - sentAt.getTime()
  if (Math.abs(age) <= maxAgeMs) return sentAt.toISOString()
  const minutes = Math.round(Math.abs(age) / 60_000)
  const when = age > 0 ? `${minutes} minutes ago` : `${minutes} minutes in the future`
  throw new CliError(
    'invalid',
    `The signature is right, but it is from ${when}: a receiver must refuse it.`,
    {
      hint: 'To check one that was kept, give --any-age.',
    },
  )
}

async function sign(secret: string, id: string, sentAt: Date, payload: string): Promise<string> {
  const { Webhook } = await import('standardwebhooks')
  try {
    return new Webhook(secret).sign(id, sentAt, payload)
  } catch {
    throw usage('The secret is none of a webhook: it begins with whsec_ and is base64 after that.')
  }
}
