import { describe, expect, test } from 'vitest'
import { CliError, exitCodes } from '../../src/cli/base/cli-error.ts'
import { failureOf } from '../../src/cli/base/failure.ts'
import { plainStyle } from '../../src/cli/base/style.ts'
import { reportFailure } from '../../src/cli/program/end-with-error.ts'
import { ServiceError } from '../../src/client/client.ts'
import { networkErrorOf } from '../../src/client/network-error.ts'
import { conflict, invalid } from '../../src/domain/rejection.ts'
import { collectingOutlet } from './collecting-outlet.ts'

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another host: check the address/],
  ['CERT_HAS_EXPIRED', /has expired: check this machine's clock/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
])('the advice on a certificate fits what is wrong with it (%s)', (code, advice) => {
  const fault = networkErrorOf(Object.assign(new Error('tls'), { code }), 'https://custody.test')
  expect(failureOf(fault)).toMatchObject({ ending: 'unreachable', hint: expect.stringMatching(advice) })
})

describe('the exit code of a failure', () => {
  test.each([
    [400, 'validation_error', 6],
    [400, 'unsupported_destination', 6],
    [401, 'invalid_api_key', 3],
    [401, 'environment_mismatch', 3],
    [404, 'not_found', 4],
    [409, 'state_conflict', 5],
    [429, 'rate_limited', 7],
    [500, 'internal_error', 8],
    [503, 'internal_error', 8],
    // The body's code decides, not the status.
    [500, 'state_conflict', 5],
    // Names that every object has are not error codes.
    [400, 'constructor', 6],
    [409, 'toString', 5],
    [404, '__proto__', 10],
  ])('%i %s is %i', (status, code, exitCode) => {
    expect(codeOf(answer(status, code))).toBe(exitCode)
  })

  test.each([
    [401, 3],
    [403, 3],
    [404, 10],
    [409, 5],
    [422, 6],
    [429, 7],
    [502, 8],
  ])("an answer %i without an error body is %i, because it is not custody's", (status, exitCode) => {
    expect(codeOf(new ServiceError({ status, headers: {}, body: '<html>' }))).toBe(exitCode)
  })

  test('is the same whether the tool or the service applies a rule', () => {
    expect(codeOf(invalid({ file: ['has no data row'] }))).toBe(6)
    expect(codeOf(conflict('Too late.'))).toBe(5)
  })

  test('is 1 for anything else', () => {
    expect(codeOf(new TypeError('x is not a function'))).toBe(1)
    expect(codeOf('a text')).toBe(1)
  })

  test('is 130 for a prompt left with Ctrl-C', () => {
    expect(codeOf(Object.assign(new Error('closed'), { name: 'ExitPromptError' }))).toBe(130)
  })
})

describe('the message of a failure', () => {
  test('is one line: what failed, why, and what to do', async () => {
    const error = new CliError('conflict', 'It is closed.', { hint: 'Look at it first.' })
    expect(await told(error)).toBe('custody x: It is closed. Look at it first.\n')
  })

  test('speaks of a rejected key to its owner, not of headers', async () => {
    const message = await told(answer(401, 'invalid_api_key'))
    expect(message).toContain('does not accept this API key: it may be wrong, expired, or revoked. See which')
  })

  test('cuts a name of 64 KiB in message, hint, and fields, also in JSON', async () => {
    for (const name of ['n'.repeat(65_536), 'a b '.repeat(16_384)]) {
      const error = new CliError('invalid', `${name} is unknown.`, { hint: `Leave out ${name}.` })
      expect((await told(error)).length).toBeLessThan(4_100)
      expect((await told(error, true)).length).toBeLessThan(4_300)
      const fields = { [name]: ['is not known'], length: [`is required, not ${name}`] }
      const many = new CliError('invalid', 'The header does not match.', { fields })
      expect((await told(many)).length).toBeLessThan(4_100)
      expect((await told(many, true)).length).toBeLessThan(4_300)
    }
    const path = `/${'folder/'.repeat(40)}a.csv`
    expect(await told(new CliError('invalid', `${path} is empty.`))).toContain(path)
  })

  test('keeps the problems of two names that are equal once they are cut', async () => {
    const fields = { [`${'n'.repeat(400)}a`]: ['is empty'], [`${'n'.repeat(400)}b`]: ['is unknown'] }
    const text = await told(new CliError('invalid', 'The header does not match.', { fields }))
    expect([text.includes('is empty'), text.includes('is unknown')]).toEqual([true, true])
  })

  test('lists the fields in a table, except those that the line has named', async () => {
    const fields = { reference: ['is required'], 'lines[3].sku': ['is unknown', 'is too long'] }
    expect(await told(answer(400, 'validation_error', 'Not valid.', { fields }))).toBe(
      [
        'custody x: Not valid.',
        '  reference     is required',
        '  lines[3].sku  is unknown',
        '  lines[3].sku  is too long',
        '',
      ].join('\n'),
    )
    const wide = { 数量: ['is required'], sku: ['is unknown'] }
    expect(await told(answer(400, 'validation_error', 'Not valid.', { fields: wide }))).toBe(
      'custody x: Not valid.\n  数量  is required\n  sku   is unknown\n',
    )
    expect(await told(invalid({ reference: ['is required'] }))).toBe('custody x: reference is required.\n')
  })

  test.each<[string, string, string[], string]>([
    ['shipping_address.state', '"Texas" is not known', ['--state=Texas', '--street', 'x'], '--state'],
    ['weight.unit', 'must be one of oz, g', ['--weight', '3', '--weight-unit', 'lb'], '--weight-unit'],
    ['dimensions.length', 'is too long', ['--length', '9'], '--length'],
    ['items[0].sku', 'is not in the catalog', ['--sku', 'x'], '--sku'],
    ['to_status', 'cannot be reached', ['--status', 'received', '--to', 'released'], '--to'],
    ['to_stage', 'cannot be reached', ['--to', 'processing', '--stage', 'packed'], '--stage'],
    ['shipping_address.zip', 'is too long', ['order.json', '--state', 'TX'], 'shipping_address.zip'],
  ])('names the flag that gave %s, if one did', async (field, fault, args, name) => {
    const error = invalid({ [field]: [fault] })
    expect(await told(error, false, args)).toBe(`custody x: ${name} ${fault}.\n`)
    expect(JSON.parse(await told(error, true, args)).message).toBe(`${field} ${fault}.`)
  })

  test('names each flag among several fields', async () => {
    const error = invalid({ 'dimensions.unit': ['is wrong'], 'weight.unit': ['is wrong'] })
    expect(await told(error, false, ['--dimension-unit', 'km', '--weight-unit', 'lb'])).toBe(
      'custody x: 2 fields are not valid: --dimension-unit, --weight-unit.\n' +
        '  --dimension-unit  is wrong\n  --weight-unit     is wrong\n',
    )
  })

  test('is one object with the exit code in JSON mode', async () => {
    const text = await told(answer(409, 'state_conflict', 'Too late.', { status: 'shipped' }), true)
    expect(JSON.parse(text)).toEqual({
      code: 'state_conflict',
      message: 'Too late.',
      extra: { status: 'shipped' },
      exit_code: 5,
      request_id: 'r-1',
    })
  })

  test.each([
    { fields: { a: 'is bad' } },
    { fields: { a: null } },
    { fields: { a: [{ toString: null }] } },
    { fields: ['is bad'] },
    { reachable: [{ toString: null }] },
    { reachable_stages: [{ toString: null }] },
  ])('leaves out details of a broken service that have another form: %j', async (extra) => {
    expect(await told(answer(400, 'validation_error', 'No.', extra))).toBe('custody x: No.\n')
  })

  test('says once to try again', async () => {
    const message = 'Nothing was changed; try again.'
    expect(await told(answer(503, 'internal_error', message))).toBe(
      `custody x: ${message}\nrequest id: r-1\n`,
    )
    expect(await told(answer(503, 'internal_error'))).toContain('No. Try again in a moment.')
    expect(await told(answer(429, 'rate_limited', 'Try again.'))).toBe('custody x: Try again.\n')
  })

  test('names the id under which the service logged its fault', async () => {
    expect(await told(answer(500, 'internal_error'))).toMatch(/^custody x: No\. .*\nrequest id: r-1\n$/)
    expect(await told(answer(404, 'not_found'))).not.toContain('r-1')
  })

  test('shows where custody failed only with --debug', async () => {
    expect(await told(new TypeError('x is not a function'))).toBe(
      'custody x: a bug in custody: x is not a function. --debug shows where.\n',
    )
  })
})

function answer(status: number, code: string, message = 'No.', extra = {}): ServiceError {
  return new ServiceError({
    status,
    headers: { 'x-request-id': 'r-1' },
    body: JSON.stringify({ code, message, extra }),
  })
}

function codeOf(error: unknown): number {
  return exitCodes[failureOf(error).ending]
}

async function told(error: unknown, isJson = false, args: string[] = []): Promise<string> {
  const err = collectingOutlet()
  const options = { isJson, isDebug: false, style: plainStyle, args }
  await reportFailure(failureOf(error), { err }, 'custody x', options)
  return err.text
}
