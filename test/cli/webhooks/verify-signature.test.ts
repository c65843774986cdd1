import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../../src/cli/webhooks/verify-signature.ts'
import { makeSecret, secretBytes, signedHeaders } from '../../../src/domain/webhooks/webhook-signature.ts'

const secret = makeSecret(new Uint8Array(secretBytes).fill(7))
const event = '{"type":"transfer.completed"}'

const request = (more: { at?: number; body?: string; secret?: string; headers?: object } = {}) => ({
  body: event,
  secret,
  ...more,
  headers: { ...signedHeaders([secret], 'evt-1', event, more.at ?? Date.now()), ...more.headers },
})

describe('a signature that cannot be trusted', () => {
  const old = request({ at: Date.now() - 6 * 60_000 })
  test.each([
    ['of another body', request({ body: '{}' }), { message: expect.stringContaining('byte for byte') }],
    ['of an old request', old, { hint: expect.stringContaining('--any-age') }],
  ])('%s ends with what to do', async (_, given, words) => {
    await expect(verifySignature(given)).rejects.toMatchObject({ ending: 'invalid', ...words })
  })

  test('of an old request is accepted at any age', async () => {
    const anyAge = { ...old, toleranceSeconds: Number.POSITIVE_INFINITY }
    await expect(verifySignature(anyAge)).resolves.toEqual({ type: 'transfer.completed' })
  })

  test.each([
    ['secret', request({ secret: 'whsec_###' })],
    ['time', request({ headers: { 'webhook-timestamp': 'soon' } })],
  ])('cannot be checked with an invalid %s', async (_, given) => {
    await expect(verifySignature(given)).rejects.toMatchObject({ ending: 'usage' })
  })
})
