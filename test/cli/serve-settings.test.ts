import { expect, test } from 'vitest'
import { isReadable, keyLimitsOf, storedResultsOf } from '../../src/cli/commands/serve/serve.ts'
import { wholeNumber } from '../../src/cli/find/filters.ts'

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

const MiB = 1024 * 1024
const usual = { requests: 16, waits: 8, answerBytes: 64 * MiB, uploadBytes: 64 * MiB }

test.each([
  [undefined, usual],
  ['requests=2', { ...usual, requests: 2 }],
  ['waits=1, answers=3,uploads=4', { ...usual, waits: 1, answerBytes: 3 * MiB, uploadBytes: 4 * MiB }],
  ['off', undefined],
])('--key-limits %s', (text, expected) => {
  expect(keyLimitsOf(text)).toEqual(expected)
})

test.each(['', 'requests', 'requests=0', 'requests=1,', 'toString=1', '16', 'requests=-1', 'answers=1.5'])(
  '--key-limits "%s" is rejected with the expected form',
  (text) => {
    expect(() => keyLimitsOf(text)).toThrow('is not a limit')
  },
)

test('--stored-results-max accepts a number of 1 or more, or off', () => {
  expect([undefined, '5', 'off'].map(storedResultsOf)).toEqual([1_000_000, 5, undefined])
  for (const text of ['0', '', '-1', '1.5', 'x'])
    expect(() => storedResultsOf(text)).toThrow('is not a whole number of 1 or more')
})

test('a number that is too small, too large, or not whole is rejected with both limits', () => {
  expect(['1', '9999'].map((text) => wholeNumber(text, '--repeats-days', 1, 9999))).toEqual([1, 9999])
  for (const text of ['0', '10000', '1.5', 'x', ''])
    expect(() => wholeNumber(text, '--repeats-days', 1, 9999)).toThrow(
      'is not a whole number from 1 to 9999.',
    )
})
