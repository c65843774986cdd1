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
    ['of another body', request({ body: '{}' }), 'invalid', 'byte for byte'],
    ['of an old request', old, 'invalid', '--any-age'],
    ['without a time', request({ headers: { 'webhook-timestamp': 'soon' } }), 'usage', '--timestamp'],
    ['without an id', request({ headers: { 'webhook-id': undefined } }), 'usage', '--headers'],
  ])('%s ends with what to do', async (_, given, ending, hint) => {
    const words = expect.stringContaining(hint)
    await expect(verifySignature(given)).rejects.toMatchObject({ ending, hint: words })
  })

  test('of an old request is accepted at any age', async () => {
    const anyAge = { ...old, toleranceSeconds: Number.POSITIVE_INFINITY }
    await expect(verifySignature(anyAge)).resolves.toEqual({ type: 'transfer.completed' })
  })

  test('cannot be checked with an invalid secret', async () => {
    await expect(verifySignature(request({ secret: 'whsec_###' }))).rejects.toMatchObject({ ending: 'usage' })
  })
})
