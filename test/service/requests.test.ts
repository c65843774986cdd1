import { describe, expect, test } from 'vitest'
import type { Call } from '../../src/contract/call.ts'
import { pageSizeMax } from '../../src/contract/limits.ts'
import { box } from '../support/box.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'

describe('requests (parts 4 and 7, decisions 3)', () => {
  const harness = forEachTest(harnessWith(databases[0]!))

  const fieldsOf = async (call: Partial<Call>) => {
    const reply = await harness.call({ headers: { 'idempotency-key': 'k' }, ...call })
    expect(reply.status).toBe(400)
    const body = JSON.parse(reply.body)
    expect(body.code).toBe('validation_error')
    return body.extra.fields
  }
  const text = (value: string) => async () => ({ kind: 'json', text: value }) as const

  test('name each unknown, repeated, empty, and ill-typed query parameter, all at once', async () => {
    const query: Array<[string, string]> = [
      ['pagesize', '5'],
      ['sku', 'A'],
      ['sku', 'B'],
      ['page', '1.5'],
      ['page_size', String(pageSizeMax + 1)],
    ]
    expect(await fieldsOf({ operation: 'listProducts', query })).toEqual({
      pagesize: ['is not known here; did you mean page_size?'],
      sku: ['was given twice; give it once'],
      page: ['must be a whole number, in decimal digits'],
      page_size: [`must be at most ${pageSizeMax}`],
    })
    expect(await fieldsOf({ operation: 'listProducts', query: [['sku', '']] })).toEqual({
      sku: ['must not be empty; leave it out or give it a value'],
    })
  })

  test('accept every documented page, up to the largest number (decisions 12)', async () => {
    const most = '9007199254740991'
    for (const operation of ['listProducts', 'listItems', 'listIntakes', 'listSubscriptions'] as const) {
      const { status, body } = await harness.call({
        operation,
        query: [
          ['page', most],
          ['page_size', String(pageSizeMax)],
        ],
      })
      expect([status, JSON.parse(body).current_page_number]).toEqual([200, Number(most)])
    }
    for (const above of ['9007199254740992', '9'.repeat(400)]) {
      const query: Array<[string, string]> = [
        ['page', above],
        ['page_size', above],
      ]
      expect(await fieldsOf({ operation: 'listProducts', query })).toEqual({
        page: [`must be at most ${most}`],
        page_size: [`must be at most ${pageSizeMax}`],
      })
    }
    for (const text of ['1.0', '+1', '0x10', '1_0', '\u0661']) {
      expect(await fieldsOf({ operation: 'listProducts', query: [['page', text]] })).toEqual({
        page: ['must be a whole number, in decimal digits'],
      })
    }
  })

  test('get one message for a number beyond all numbers, and a bound is named once', async () => {
    const body = text(
      '{"reference":"PO","lines":[{"description":"x","quantity":1e300},{"description":"x","quantity":1e400}]}',
    )
    expect(await fieldsOf({ operation: 'submitManifest', body })).toEqual({
      'lines[0].quantity': ['must be at most 1000000'],
      'lines[1].quantity': ['is too large a number'],
    })
  })

  test.each([
    [
      'next to a wrong one',
      '{"reference":"A","lines":[{"description":"x"}],"reference":5}',
      { reference: ['was given twice; give it once'] },
    ],
    [
      'in a list',
      '{"reference":"A","lines":[{"description":"x"},{"sku":"A","description":"x","sku":"B"}]}',
      { 'lines[1].sku': ['was given twice; give it once'] },
    ],
    [
      'written with escapes',
      '{"reference":"A","\\u0072eference":"B","lines":[{"description":"x"}]}',
      { reference: ['was given twice; give it once'] },
    ],
    [
      'around an object that also has it',
      '{"reference":"A","lines":[{"description":"x","lines":[{"description":"y"}],"description":"z"}]}',
      {
        'lines[0].description': ['was given twice; give it once'],
        'lines[0].lines': ['is not known here; leave it out'],
      },
    ],
  ])('get a 400 for a repeated name in one object: %s (decisions 12)', async (_, body, fields) => {
    expect(await fieldsOf({ operation: 'submitManifest', body: text(body) })).toEqual(fields)
  })

  test('may repeat a name in other objects and in strings', async () => {
    const lines = [{ description: 'a "description": "b", "description"' }, { description: '{"a":1,"a":2}\\' }]
    const body = text(JSON.stringify({ lines, reference: 'description' }))
    const { status } = await harness.call({
      operation: 'submitManifest',
      body,
      headers: { 'idempotency-key': 'p' },
    })
    expect(status).toBe(201)
  })

  test('are rejected in JSON if a SKU has outer spaces, because CSV cannot send one (decisions 12)', async () => {
    const fault = ['must not begin or end with a space']
    for (const sku of [' A', 'A ', '\tA', 'A\n', 'A\u00a0']) {
      const body = (value: unknown) => text(JSON.stringify(value))
      expect(await fieldsOf({ operation: 'createProduct', body: body(box(sku)) })).toEqual({
        sku: fault,
      })
      expect(
        await fieldsOf({
          operation: 'submitManifest',
          body: body({ reference: 'A', lines: [{ description: 'x', sku }] }),
        }),
      ).toEqual({ 'lines[0].sku': fault })
      expect(
        await fieldsOf({ operation: 'createIntakes', body: body({ items: [{ type: 'product', sku }] }) }),
      ).toEqual({ 'items[0].sku': fault })
    }
    const { status } = await harness.call({
      operation: 'createProduct',
      headers: { 'idempotency-key': 's' },
      body: text(JSON.stringify(box('A  \n B'))),
    })
    expect(status).toBe(201)
  })

  test('get a 400 for a malformed UUID if the operation lists one', async () => {
    expect(await fieldsOf({ operation: 'getProduct', params: { product_id: '42' } })).toEqual({
      product_id: ['must be a UUID'],
    })
    const fields = { manifest_id: ['must be a UUID'] }
    expect(await fieldsOf({ operation: 'listItems', query: [['manifest_id', '42']] })).toEqual(fields)
    const body = text('{"manifest_id":"42","items":[{"type":"product","sku":"A"}]}')
    expect(await fieldsOf({ operation: 'createIntakes', body })).toMatchObject(fields)
  })

  test('get an opaque 500 with the request id if they hit a bug, and change nothing', async () => {
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
      message: 'Something went wrong on our side. Try again; if it happens again, report the request id.',
      extra: { request_id: 'r-1' },
    })
    expect((await client.listProducts({})).data.total).toBe(0)
  })
})
