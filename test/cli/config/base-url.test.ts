import { describe, expect, test } from 'vitest'
import { baseUrlFrom, isReadableOnTheWay } from '../../../src/cli/connection/base-url.ts'

describe('the address of a service', () => {
  test.each([
    ['https://custody.example.com/v1', 'https://custody.example.com/v1'],
    ['https://custody.example.com/v1//', 'https://custody.example.com/v1'],
    ['  https://custody.example.com ', 'https://custody.example.com/v1'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1'],
    ['https://example.com/custody/v1', 'https://example.com/custody/v1'],
    ['HTTPS://Example.COM/v1', 'https://example.com/v1'],
  ])('%j is %j', (given, address) => {
    expect(baseUrlFrom(given, 'it')).toBe(address)
  })

  test.each(['', 'custody.example.com', 'ftp://a', 'https://u:p@a/v1', 'https://a/v1?x=1', 'https://a/v1#x'])(
    '%j is refused',
    (given) => {
      expect(() => baseUrlFrom(given, 'it')).toThrow(expect.objectContaining({ ending: 'usage' }))
    },
  )

  test.each([
    ['https://custody.example.com/v1', false],
    ['http://127.0.0.1:8080/v1', false],
    ['http://localhost/v1', false],
    ['http://[::1]:8080/v1', false],
    ['http://custody.example.com/v1', true],
    ['http://127.0.0.1.example.com/v1', true],
  ])('whether a key sent to %s can be read on the way: %s', (address, isReadable) => {
    expect(isReadableOnTheWay(address)).toBe(isReadable)
  })
})
