import { describe, expect, test } from 'vitest'
import { fileFault } from '../../src/domain/csv/csv-header.ts'
import { conflict, invalid, notFound } from '../../src/domain/rejection.ts'

describe('an error (decisions 3)', () => {
  test.each<[string[], string]>([
    [[], 'The request is not valid.'],
    [['a'], 'a is wrong.'],
    [['a', 'b'], '2 fields are not valid: a, b.'],
    [['a', 'b', 'c', 'd', 'e'], '5 fields are not valid: a, b, c, d, e.'],
    [['a', 'b', 'c', 'd', 'e', 'f'], '6 fields are not valid: a, b, c, d, e, \u2026.'],
  ])('names its fields %j: %s', (names, message) => {
    const fields = Object.fromEntries(names.map((name) => [name, ['is wrong', 'is not right']]))
    const rejection = invalid(fields, undefined, { from: 'x' })
    expect([rejection.name, rejection.code, rejection.message]).toEqual([
      'Rejection',
      'validation_error',
      message,
    ])
    expect(rejection.extra).toEqual({ fields, from: 'x' })
  })

  test('ends a suggestion with a question mark alone', () => {
    expect(invalid({ Page: ['is not known here; did you mean page?'] }).message).toBe(
      'Page is not known here; did you mean page?',
    )
    expect(fileFault('has an unknown column "skuu": did you mean sku?').message).toBe(
      'The file has an unknown column "skuu": did you mean sku?',
    )
  })

  test('says only that there is no such resource, or what is in the way', () => {
    expect([notFound().code, notFound().message]).toEqual(['not_found', 'No such resource.'])
    const { code, message, extra } = conflict('It is shipped.', { status: 'shipped' })
    expect([code, message, extra]).toEqual(['state_conflict', 'It is shipped.', { status: 'shipped' }])
  })
})
