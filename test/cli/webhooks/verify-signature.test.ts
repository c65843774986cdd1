import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../../src/cli/webhooks/verify-signature.ts'
import { makeSecret, secretBytes, signedHeaders } from '../../../src/domain/webhooks/webhook-signature.ts'

const now = Date.parse('2026-05-01T09:00:00.400Z')
const fiveMinutes = { now, maxAgeMs: 5 * 60_000 }
const secret = makeSecret(new Uint8Array(secretBytes).fill(7))
const other = makeSecret(new Uint8Array(secretBytes).fill(8))

function signed(secrets: string[], payload: string, at = now) {
  const headers = signedHeaders(secrets, 'evt-1', payload, at)
  return {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
  }
}

describe('a signature', () => {
  test('is right for any body with its secret, and wrong with another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (payload) => {
        const headers = signed([secret], payload)
        const sent = await verifySignature(payload, headers, secret, fiveMinutes)
        expect(sent).toBe('2026-05-01T09:00:00.000Z')
        await expect(verifySignature(payload, headers, other, fiveMinutes)).rejects.toThrow(/not valid/)
      }),
      { numRuns: 50 },
    )
  })

  test('is right if one of several is, while a secret is rotated', async () => {
    const headers = signed([other, secret], '{}')
    await expect(verifySignature('{}', headers, secret, fiveMinutes)).resolves.toBeTruthy()
    await expect(verifySignature('{}', headers, other, fiveMinutes)).resolves.toBeTruthy()
  })

  test.each([
    ['another body', { payload: '{ }' }],
    ['another id', { id: 'evt-2' }],
    ['another time', { timestamp: '1777626001' }],
  ])('is wrong with %s', async (_, { payload = '{}', ...change }: Record<string, string>) => {
    const headers = { ...signed([secret], '{}'), ...change }
    await expect(verifySignature(payload, headers, secret, fiveMinutes)).rejects.toMatchObject({
      ending: 'invalid',
    })
  })

  test.each([
    [-4 * 60_000, true],
    [-6 * 60_000, false],
    [4 * 60_000, true],
    [6 * 60_000, false],
  ])('made %i ms from now is good: %s', async (shift, isGood) => {
    const verified = verifySignature('{}', signed([secret], '{}', now + shift), secret, fiveMinutes)
    if (isGood) await expect(verified).resolves.toBeTruthy()
    else await expect(verified).rejects.toThrow(/is valid, but from 6 minutes/)
  })

  test('is good at any age if any age is allowed', async () => {
    const headers = signed([secret], '{}', now - 86_400_000)
    const anyAge = { now, maxAgeMs: Number.POSITIVE_INFINITY }
    await expect(verifySignature('{}', headers, secret, anyAge)).resolves.toBe('2026-04-30T09:00:00.000Z')
  })

  test('cannot be checked with an invalid secret or time', async () => {
    const headers = signed([secret], '{}')
    await expect(verifySignature('{}', headers, 'whsec_###', fiveMinutes)).rejects.toMatchObject({
      ending: 'usage',
    })
    const timeless = { ...headers, timestamp: 'soon' }
    await expect(verifySignature('{}', timeless, secret, fiveMinutes)).rejects.toMatchObject({
      ending: 'usage',
    })
  })
})
