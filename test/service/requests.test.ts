import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Call } from '../../src/contract/call.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'

describe.each(databases)('requests over $name (parts 4 and 7, decisions 3)', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  const fieldsOf = async (call: Partial<Call>) => {
    const reply = await harness.call({ headers: { 'idempotency-key': 'k' }, ...call })
    expect(reply.status).toBe(400)
    const body = JSON.parse(reply.body)
    expect(body.code).toBe('validation_error')
    return body.extra.fields
  }
  const text = (value: string) => async () => ({ kind: 'json', text: value }) as const

  test('unknown, repeated, empty and ill-typed query parameters are each named, all at once', async () => {
    const query: Array<[string, string]> = [
      ['pagesize', '5'],
      ['sku', 'A'],
      ['sku', 'B'],
      ['page', '1.5'],
      ['page_size', '251'],
    ]
    expect(await fieldsOf({ operation: 'listProducts', query })).toEqual({
      pagesize: ['is not known here; did you mean page_size?'],
      sku: ['was given twice; give it once'],
      page: ['must be a whole number'],
      page_size: ['must be at most 250'],
    })
    expect(await fieldsOf({ operation: 'listProducts', query: [['sku', '']] })).toEqual({
      sku: ['must not be empty; leave it out or give it a value'],
    })
  })

  test.each(['0', '-1', '1e3', ' 1', '9'.repeat(20)])('page=%s is a 400', async (page) => {
    expect(await fieldsOf({ operation: 'listProducts', query: [['page', page]] })).toHaveProperty('page')
  })

  test('a query parameter on an operation that takes none is a 400', async () => {
    expect(await fieldsOf({ operation: 'getItemSummary', query: [['status', 'received']] })).toEqual({
      status: ['is not known here; leave it out'],
    })
  })

  test.each([
    ['broken JSON', '{"a":', 'is not valid JSON'],
    ['a list', '[]', 'must be a JSON object'],
    ['a bare string', '"a"', 'must be a JSON object'],
    ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'must not nest more than 32 levels'],
    ['__proto__', '{"name":"x","__proto__":{"admin":true}}', 'must not use the name __proto__'],
    ['a million brackets', '['.repeat(1_000_000), 'must not nest more than 32 levels'],
  ])('a body of %s is a 400', async (_, body, message) => {
    expect(await fieldsOf({ operation: 'createProduct', body: text(body) })).toEqual({ body: [message] })
  })

  test('a malformed uuid is a 400 where the operation lists one', async () => {
    expect(await fieldsOf({ operation: 'getProduct', params: { product_id: '42' } })).toEqual({
      product_id: ['must be a UUID'],
    })
  })

  test('a malformed identifier is a 404 where the operation lists no 400', async () => {
    for (const call of [
      { operation: 'getItem', params: { qid: 'x' } },
      { operation: 'getFulfillment', params: { fulfillment_id: 'x' } },
    ] as const) {
      expect((await harness.call(call)).status).toBe(404)
    }
  })

  test('at most 100 faults are named', async () => {
    const lines = Array.from({ length: 300 }, () => ({ description: '' }))
    const body = text(JSON.stringify({ reference: 'PO', lines }))
    expect(Object.keys(await fieldsOf({ operation: 'submitManifest', body }))).toHaveLength(100)
  })

  test('a fault of ours is an opaque 500 with the request id, and changes nothing', async () => {
    const { client, sources } = harness
    const entropy = sources.random
    sources.random = () => {
      throw new Error('secret detail')
    }
    const reply = await harness.call({
      operation: 'createProduct',
      headers: { 'idempotency-key': 'k', 'x-request-id': 'r-1' },
      body: text(
        '{"name":"Box","sku":"A","dimensions":{"height":1,"length":1,"width":1,"unit":"in"},"weight":{"value":1,"unit":"oz"}}',
      ),
    })
    sources.random = entropy
    expect(reply.status).toBe(500)
    expect(JSON.parse(reply.body)).toEqual({
      code: 'internal_error',
      message: 'Something went wrong on our side. Try again; if it goes on, tell us the request id.',
      extra: { request_id: 'r-1' },
    })
    expect((await client.listProducts({})).data.total).toBe(0)
  })
})
