import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeSecret, signedHeaders } from '../../src/domain/webhooks/webhook-signature.ts'
import { anyText } from '../support/any-text.ts'

const secret = makeSecret(new Uint8Array(32).fill(7))
const other = makeSecret(new Uint8Array(32).fill(8))
const atMs = Date.parse('2026-05-01T09:00:00.999Z')

describe('signatures by Standard Webhooks 1.0 (decisions 9)', () => {
  afterEach(() => vi.useRealTimers())

  test('use a secret of whsec_ and the base64 of 32 bytes', () => {
    expect(secret).toBe('whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=')
    for (const length of [0, 31, 33])
      expect(() => makeSecret(new Uint8Array(length))).toThrow(
        new RangeError('A secret takes 32 random bytes.'),
      )
  })

  test('are sent with the identifier, whole seconds, and a versioned signature for each secret', () => {
    const headers = signedHeaders([secret, other], 'event-1', '{"a":1}', atMs)
    expect(headers).toEqual({
      'webhook-id': 'event-1',
      'webhook-timestamp': '1777626000',
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/),
    })
  })

  test('pass the standardwebhooks package for every payload and either secret, and no other', () => {
    vi.useFakeTimers({ now: atMs, toFake: ['Date'] })
    fc.assert(
      fc.property(anyText(), (text) => {
        const payload = JSON.stringify({ text })
        const headers = signedHeaders([secret, other], 'event-1', payload, atMs)
        for (const known of [secret, other]) {
          expect(new Webhook(known).verify(payload, headers)).toEqual({ text })
        }
        expect(() => new Webhook(secret).verify(`${payload} `, headers)).toThrow()
        expect(() => new Webhook(makeSecret(new Uint8Array(32))).verify(payload, headers)).toThrow()
      }),
    )
  })
})
