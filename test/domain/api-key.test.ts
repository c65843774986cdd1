import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { environments } from '../../src/contract/enums.ts'
import { formatApiKey, parseApiKey } from '../../src/domain/api-key.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 })
const keys = fc.tuple(fc.constantFrom(...environments), secrets).map((given) => formatApiKey(...given))

/** The text with the checksum of a key with that text. */
function withCheck(text: string): string {
  let check = ''
  for (let rest = crc32(text); check.length < 6; rest = Math.floor(rest / 62))
    check = base62.charAt(rest % 62) + check
  return text + check
}

describe('formatApiKey', () => {
  test('builds a key from its prefix, 43 base62 characters of secret, and 6 of CRC-32 over both', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const key = formatApiKey('sandbox', secret)
        expect(key).toMatch(/^sk_sandbox_[0-9A-Za-z]{49}$/)
        expect(formatApiKey('production', secret)).toMatch(/^sk_live_[0-9A-Za-z]{49}$/)
        expect(numberOf(key.slice(11, 54))).toBe(BigInt(`0x${Buffer.from(secret).toString('hex')}`))
        expect(numberOf(key.slice(54))).toBe(BigInt(crc32(key.slice(0, 54))))
      }),
    )
  })

  test('gives the smallest and the largest secret the same length', () => {
    expect(formatApiKey('production', new Uint8Array(32))).toHaveLength(57)
    expect(formatApiKey('production', new Uint8Array(32).fill(255))).toHaveLength(57)
  })

  test.each([0, 31, 33])('rejects a secret of %i bytes', (length) => {
    expect(() => formatApiKey('sandbox', new Uint8Array(length))).toThrow(
      new RangeError('An API key takes 32 random bytes.'),
    )
  })
})

describe('parseApiKey', () => {
  test('checks the form beyond the checksum', () => {
    const secret = 'A'.repeat(43)
    expect(parseApiKey(withCheck(`sk_live_${secret}`))?.environment).toBe('production')
    for (const other of [
      `xsk_live_${secret}`,
      `sk_live_${secret}A`,
      `sk_test_${secret}`,
      `sk_live_${secret.slice(1)}`,
    ])
      expect(parseApiKey(withCheck(other)), other).toBeNull()
  })

  test("returns a key's environment and display prefix", () => {
    fc.assert(
      fc.property(fc.constantFrom(...environments), secrets, (environment, secret) => {
        const key = formatApiKey(environment, secret)
        const shown = environment === 'sandbox' ? 17 : 14
        expect(parseApiKey(key)).toEqual({ environment, prefix: key.slice(0, shown) })
      }),
    )
  })

  test('notices every wrong character of the secret and the checksum', () => {
    const key = formatApiKey('production', new Uint8Array(32).fill(7))
    for (let place = 'sk_live_'.length; place < key.length; place++) {
      for (const other of base62) {
        if (other === key[place]) continue
        expect(parseApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBeNull()
      }
    }
  })

  test('does not accept a changed prefix for the other environment', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        expect(parseApiKey(formatApiKey('sandbox', secret).replace('sandbox', 'live'))).toBeNull()
        expect(parseApiKey(formatApiKey('production', secret).replace('live', 'sandbox'))).toBeNull()
      }),
    )
  })

  test('returns null for text that only surrounds or resembles a key', () => {
    fc.assert(
      fc.property(keys, (key) => {
        for (const text of [
          ` ${key}`,
          `${key}\n`,
          key.slice(0, -1),
          `${key}0`,
          key.toUpperCase(),
          key.slice(3),
        ]) {
          expect(parseApiKey(text)).toBeNull()
        }
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseApiKey(text)).toBeNull()
      }),
    )
  })
})

function numberOf(text: string): bigint {
  return [...text].reduce((value, character) => value * 62n + BigInt(base62.indexOf(character)), 0n)
}
