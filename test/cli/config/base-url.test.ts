import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/cli/base/io.ts'
import { baseUrlFrom, warnReadable } from '../../../src/cli/connection/base-url.ts'
import { connectService } from '../../../src/cli/connection/connect-service.ts'

describe('the address of a service', () => {
  test.each([
    ['https://custody.example.com/v1', 'https://custody.example.com/v1'],
    ['https://custody.example.com/v1//', 'https://custody.example.com/v1'],
    ['  https://custody.example.com ', 'https://custody.example.com/v1'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1'],
    ['https://example.com/custody/v1', 'https://example.com/custody/v1'],
    ['HTTPS://Example.COM/v1', 'https://example.com/v1'],
  ])('%j becomes %j', (given, address) => {
    expect(baseUrlFrom(given, 'it')).toBe(address)
  })

  test.each(['', 'custody.example.com', 'ftp://a', 'https://u:p@a/v1', 'https://a/v1?x=1', 'https://a/v1#x'])(
    '%j is rejected',
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
  ])('a key sent to %s can be read on the way: %s', (address, isReadable) => {
    let isWarned = false
    warnReadable(address, () => {
      isWarned = true
    })
    expect(isWarned).toBe(isReadable)
  })

  test.each([
    ['environment', 'http://custody.example.com/v1', 1],
    ['flag', 'http://custody.example.com/v1', 1],
    ['profile', 'http://custody.example.com/v1', 0],
    ['environment', 'http://localhost:8080/v1', 0],
    ['environment', 'https://custody.example.com/v1', 0],
  ] as const)('a key for the address of %s, %s, gives warnings: %i', (source, value, warnings) => {
    const notices: string[] = []
    const own = { source: 'environment', name: 'CUSTODY_API_KEY' } as const
    const settings = {
      kind: 'service',
      baseUrl: { source, name: 'it', value },
      apiKey: { ...own, value: { key: 'sk_sandbox_x' } },
      environment: undefined,
      profile: undefined,
    } as const
    const notice = (text: string) => void notices.push(text)
    connectService({} as Io, settings, { trace: undefined, maxWait: undefined, notice })
    expect(notices).toEqual(
      Array(warnings).fill(`Warning: ${value} is not https: the key is sent unencrypted.`),
    )
  })
})
