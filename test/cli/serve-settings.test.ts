import { expect, test } from 'vitest'
import { isReadable } from '../../src/cli/commands/serve/settings.ts'

test.each<[string, string | undefined, boolean]>([
  ['127.0.0.1', undefined, false],
  ['127.1.2.3', undefined, false],
  ['::1', undefined, false],
  ['localhost', 'http://custody.example.com', false],
  ['0.0.0.0', undefined, true],
  ['0.0.0.0', 'http://custody.example.com', true],
  ['::', undefined, true],
  ['127.0.0.1.example.com', undefined, true],
  ['0.0.0.0', 'https://custody.example.com', false],
  ['10.0.0.5', 'HTTPS://custody.example.com', false],
])('serve on %s with the public address %s warns of readable keys: %s', (host, publicUrl, expected) => {
  expect(isReadable(host, publicUrl)).toBe(expected)
})
