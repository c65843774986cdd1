import { beforeAll, describe, expect, test } from 'vitest'
import type { CsvRowError } from '../../src/contract/resources/error.ts'
import { box } from '../support/box.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases, type Harness } from '../support/harness.ts'

const absent = 'Q-0000-0000-0000'
const absentId = '01990000-0000-7000-8000-000000000000'
const address = { recipient_name: 'A', street: 'B', city: 'C', state: 'CA', zip: '90210', country: 'US' }

describe.each(databases)(
  'every faulty field in one answer, lookups included, over $name (decisions 12)',
  (database) => {
    const harness = forAllTests(harnessWith(database))
    let slab: string
    beforeAll(async () => {
      await harness.client.createProduct({ body: box() })
      const items = [{ type: 'graded_slab' as const, grader: 'PSA', grade: '9', cert_number: '1' }]
      const { data } = await harness.client.createIntakes({ body: { items } })
      slab = data.intakes[0]?.qid ?? ''
    })

    type Upload = 'importProductsCsv' | 'submitManifestCsv' | 'importFulfillmentsCsv'
    let sent = 0
    const upload = async (operation: Upload, lines: string[]): Promise<Array<[number, string, string[]]>> => {
      sent += 1
      const fields: Array<[string, string]> = operation === 'submitManifestCsv' ? [['reference', 'PO']] : []
      const { body } = await harness.call({
        operation,
        headers: { 'idempotency-key': `k${sent}` },
        body: async () => ({
          kind: 'form',
          fields,
          files: [{ name: 'file', bytes: Buffer.from(lines.join('\n')) }],
        }),
      })
      const answer = JSON.parse(body)
      const errors: CsvRowError[] = answer.errors ?? answer.extra.errors
      return errors.map(({ row, code, fields: faulty }) => [row, code, Object.keys(faulty).sort()])
    }

    test('a manifest row names an unknown SKU and a bad quantity', async () => {
      const rows = ['description,sku,quantity', 'a,BOX,1', 'b,NONE,0', 'c,BOX,x', ',NONE,2', 'd,NONE,2']
      expect(await upload('submitManifestCsv', rows)).toEqual([
        [2, 'validation_error', ['quantity', 'sku']],
        [3, 'validation_error', ['quantity']],
        [4, 'validation_error', ['description', 'sku']],
        [5, 'validation_error', ['sku']],
      ])
    })

    test('a fulfillment row names an unknown SKU, or an unknown QID and a bad ZIP code; only good rows report availability', async () => {
      const names = Object.keys(address).join(',')
      const bad = Object.values({ ...address, zip: '1' }).join(',')
      const good = Object.values(address).join(',')
      const rows = [
        `qid,sku,quantity,${names}`,
        `,NONE,1,${bad}`,
        `${absent},,,${bad}`,
        `${slab},,,${bad}`,
        `,NONE,x,${good}`,
        `,BOX,0,${bad}`,
        `,BOX,1,${bad}`,
        `nonsense,,,${bad}`,
        `${absent},,,${good}`,
      ]
      expect(await upload('importFulfillmentsCsv', rows)).toEqual([
        [1, 'validation_error', ['sku', 'zip']],
        [2, 'validation_error', ['qid', 'zip']],
        [3, 'validation_error', ['zip']],
        [4, 'validation_error', ['quantity', 'sku']],
        [5, 'validation_error', ['quantity', 'zip']],
        [6, 'validation_error', ['zip']],
        [7, 'validation_error', ['qid', 'zip']],
        [8, 'not_found', ['qid']],
      ])
    })

    test('a product row names a known SKU as a conflict only if it is otherwise good', async () => {
      const names = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
      const rows = [
        names,
        'a,BOX,1,1,1,in,x,oz',
        `b,NEW-${sent},1,1,1,in,x,oz`,
        `c,NEW-${sent},1,1,1,in,1,oz`,
        `,NEW-${sent},1,1,1,in,1,oz`,
      ]
      expect(await upload('importProductsCsv', rows)).toEqual([
        [1, 'validation_error', ['weight']],
        [2, 'validation_error', ['weight']],
        [4, 'validation_error', ['name', 'sku']],
      ])
    })

    test('simulated arrivals name impossible ones and an unknown SKU, and a hundred faults at most', async () => {
      const items = [5, { type: 'product', sku: 'NONE' }, { type: 'product', sku: 'BOX' }]
      expect(await fieldsOf('createIntakes', { items })).toEqual(['items[0]', 'items[1].sku'])
      const slabs = Array.from({ length: 40 }, () => ({ type: 'graded_slab' }))
      expect(await fieldsOf('createIntakes', { items: slabs })).toHaveLength(100)
    })

    type Asked = Parameters<Harness['call']>[0]
    const fieldsOf = async (
      operation: Asked['operation'],
      body: unknown,
      params: Record<string, string> = {},
    ) => {
      sent += 1
      const headers = operation === 'updateSubscription' ? {} : { 'idempotency-key': `k${sent}` }
      const text = JSON.stringify(body)
      const reply = await harness.call({
        operation,
        params,
        headers,
        body: async () => ({ kind: 'json', text }),
      })
      const { code, extra } = JSON.parse(reply.body)
      expect([reply.status, code]).toEqual([400, 'validation_error'])
      return Object.keys(extra.fields).sort()
    }

    test('a manifest names unknown SKUs, one of two certificates, and a window together with a bad quantity, also in a long list', async () => {
      const lines = [
        { description: 'a', sku: 'NONE', quantity: 0 },
        { description: '', cert_number: '1', quantity: 2 },
        { description: 'b', sku: 5 },
        7,
        { description: 'c', sku: 'a\u0000b', quantity: 1 },
      ]
      const window = { expected_arrival_start: '2026-06-02', expected_arrival_end: '2026-06-01' }
      const body = { reference: 'PO', source: 'nowhere', ...window, lines }
      const faults = [
        'expected_arrival_end',
        'lines[0].quantity',
        'lines[0].sku',
        'lines[1].description',
        'lines[1].quantity',
        'lines[2].sku',
        'lines[3]',
        'lines[4].sku',
        'source',
      ]
      expect(await fieldsOf('submitManifest', body)).toEqual(faults)
      const right = { description: 'x', sku: 'BOX' }
      const long = [...lines, ...Array.from({ length: 600 }, () => right), { description: '', sku: 'NONE' }]
      expect(await fieldsOf('submitManifest', { ...body, lines: long })).toEqual(
        [...faults, 'lines[605].description', 'lines[605].sku'].sort(),
      )
    })

    test('an answer names at most 100 faults, including those of lookups', async () => {
      const lines = Array.from({ length: 90 }, () => ({ description: 'x', sku: 'NONE', quantity: 0 }))
      expect(await fieldsOf('submitManifest', { reference: 'PO', lines })).toHaveLength(100)
    })

    test('an order names an unknown SKU or QID together with a bad ZIP code or a field of the wrong form', async () => {
      const shipping_address = { ...address, zip: '1' }
      expect(await fieldsOf('createFulfillment', { sku: 'NONE', quantity: 1, shipping_address })).toEqual([
        'shipping_address.zip',
        'sku',
      ])
      const qids = [absent, slab, 'nonsense', 4]
      expect(await fieldsOf('createFulfillment', { qids: qids.slice(0, 3), shipping_address })).toEqual([
        'qids[0]',
        'qids[2]',
        'shipping_address.zip',
      ])
      const unserved = { qids: [absent], shipping_address: { ...address, country: 'ZA' } }
      expect(await fieldsOf('createFulfillment', unserved)).toEqual(['qids[0]', 'shipping_address.country'])
      const wrong = {
        qids,
        shipping_address: { ...address, city: 1, country: 'XX' },
        deliver_by: '2020-01-01',
      }
      expect(await fieldsOf('createFulfillment', wrong)).toEqual([
        'deliver_by',
        'qids[0]',
        'qids[2]',
        'qids[3]',
        'shipping_address.city',
        'shipping_address.country',
      ])
      const both = { sku: 5, quantity: 0, shipping_address: address, external_ref: '' }
      expect(await fieldsOf('createFulfillment', both)).toEqual(['external_ref', 'quantity', 'sku'])
    })

    test('a transfer names a repeated and an unknown QID together with a bad reference', async () => {
      expect(await fieldsOf('requestTransfer', { qids: [slab, slab, absent], external_ref: ' ' })).toEqual([
        'external_ref',
        'qids[1]',
        'qids[2]',
      ])
      expect(await fieldsOf('requestTransfer', { qids: [slab, slab, absent] })).toEqual([
        'qids[1]',
        'qids[2]',
      ])
    })

    test('arrivals, a receipt, and a subscription name rule and lookup faults together with a fault of form', async () => {
      const items = [
        { type: 'product', sku: 'NONE', name: '' },
        { type: 'graded_slab', grader: 1, grade: '9' },
        { type: 'nothing', sku: 'NONE' },
      ]
      expect(await fieldsOf('createIntakes', { items })).toEqual([
        'items[0].name',
        'items[0].sku',
        'items[1].cert_number',
        'items[1].grader',
        'items[2].type',
      ])
      expect(await fieldsOf('createIntakes', {})).toEqual(['items'])
      const { data } = await harness.client.submitManifest({
        body: { reference: 'R', lines: [{ description: 'x' }] },
      })
      const lines = [{ line_id: data.id, quantity: -1 }, {}, 7]
      expect(await fieldsOf('receiveManifest', { lines, outcome: 'lost' }, { manifest_id: data.id })).toEqual(
        ['lines', 'lines[0].line_id', 'lines[0].quantity', 'lines[1].line_id', 'lines[2]', 'outcome'],
      )
      const hook = { url: 'https://127.0.0.1/x', event_types: ['nothing'] }
      expect(await fieldsOf('createSubscription', hook)).toEqual(['event_types[0]', 'url'])
      const subscription_id = data.id
      expect(await fieldsOf('updateSubscription', { ...hook, active: 1 }, { subscription_id })).toEqual([
        'active',
        'event_types[0]',
        'url',
      ])
    })

    const colour: Array<[string, string]> = [['colour', 'red']]
    const named = async (asked: Omit<Asked, 'headers'>, headers: Record<string, string> = {}) => {
      sent += 1
      const keyed = { 'idempotency-key': `k${sent}`, ...headers }
      const reply = await harness.call({ query: colour, ...asked, headers: keyed })
      return `${reply.status} ${Object.keys(JSON.parse(reply.body).extra.fields).sort().join()}`
    }

    test('a malformed id, an unknown query parameter, a wrong header, and a faulty body are named together', async () => {
      const body = async () => ({ kind: 'json' as const, text: '{"seconds":0}' })
      expect(await named({ operation: 'advanceClock', body })).toBe('400 colour,seconds')
      const params = { manifest_id: 'x' }
      expect(await named({ operation: 'receiveManifest', params, body })).toBe(
        '400 colour,manifest_id,seconds',
      )
      expect(await named({ operation: 'closeManifest', params })).toBe('400 colour,manifest_id')
      const word = { 'custody-repeats': 'perhaps' }
      expect(await named({ operation: 'createFulfillment', body }, word)).toBe(
        '400 Custody-Repeats,colour,qids,seconds,shipping_address',
      )
      const broken = async () => ({ kind: 'json' as const, text: '{' })
      expect(await named({ operation: 'createProduct', body: broken })).toBe('400 body,colour')
    })

    test('a faulty file of an upload is named together with a faulty field, its rows too if all of them are faulty', async () => {
      const form = (file: string, ...fields: Array<[string, string]>) => {
        return async () => ({
          kind: 'form' as const,
          fields,
          files: [{ name: 'file', bytes: Buffer.from(file) }],
        })
      }
      const uploads = ['submitManifestCsv', 'importProductsCsv', 'importFulfillmentsCsv'] as const
      for (const operation of uploads) {
        const reference = operation === 'submitManifestCsv' ? ',reference' : ''
        expect(await named({ operation, body: form('nothing\nx') })).toBe(`400 colour,file${reference}`)
      }
      const wrong: [string, string] = ['source', 'nowhere']
      const reply = await harness.call({
        operation: 'submitManifestCsv',
        headers: { 'idempotency-key': 'rows', 'custody-repeats': 'skip' },
        body: form('description,sku\nx,NONE', wrong),
      })
      const { extra } = JSON.parse(reply.body)
      expect(Object.keys(extra.fields)).toEqual(['reference', 'source', 'file'])
      expect(extra.errors.map(({ fields }: CsvRowError) => Object.keys(fields))).toEqual([['sku']])
      const good = form('description\nx', wrong)
      expect(await named({ operation: 'submitManifestCsv', body: good, query: [] })).toBe(
        '400 reference,source',
      )
    })

    test('an unknown cursor is named together with other faults of a query', async () => {
      const query: Array<[string, string]> = [...colour, ['type', 'nothing'], ['page_size', 'x']]
      const ask = (cursor: string) =>
        named({ operation: 'listEvents', query: [...query, ['starting_after', cursor]] })
      expect(await ask(absentId)).toBe('400 colour,page_size,starting_after,type')
      expect(await ask('x')).toBe('400 colour,page_size,starting_after,type')
      const { data } = await harness.client.listEvents({ query: {} })
      expect(await ask(data.results[0]?.id ?? '')).toBe('400 colour,page_size,type')
    })

    test('a fulfillment advance names contradictions together with a fault of form', async () => {
      await harness.client.advanceItem({ params: { qid: slab }, body: { to_status: 'available' } })
      const { data } = await harness.client.createFulfillment({
        body: { qids: [slab], shipping_address: address },
      })
      const walk = (body: unknown, fulfillment_id = data.id) =>
        fieldsOf('advanceFulfillment', body, { fulfillment_id })
      const issue = { code: 'a', message: 1 }
      expect(await walk({ to_status: 'exception', more: 1 })).toEqual(['issue', 'more'])
      expect(await walk({ to_status: 'shipped', to_stage: 'picked', issue })).toEqual([
        'issue',
        'issue.message',
        'to_stage',
      ])
      expect(await walk({ to_stage: 'picked', more: 1 })).toEqual(['more', 'to_stage'])
      expect(await walk({ to_stage: 'picked', more: 1 }, absentId)).toEqual(['more'])
      expect(await walk({ more: 1 })).toEqual(['more', 'to_status'])
      expect(await walk({ to_status: 'nowhere', issue })).toEqual(['issue.message', 'to_status'])
      expect(await walk({ to_status: 'exception', issue: 1 })).toEqual(['issue'])
    })

    test('a clock advance and a replay name two starts, none, and a wrong one together with a fault of form', async () => {
      const past = '2020-01-01T00:00:00Z'
      expect(await fieldsOf('advanceClock', { seconds: 0, to: past })).toEqual(['seconds', 'to'])
      expect(await fieldsOf('advanceClock', { to: past, more: 1 })).toEqual(['more', 'to'])
      expect(await fieldsOf('advanceClock', { more: 1 })).toEqual(['more', 'seconds'])
      expect(await fieldsOf('advanceClock', { seconds: 1.5 })).toEqual(['seconds'])
      const replay = (body: unknown) => fieldsOf('replaySubscription', body, { subscription_id: absentId })
      expect(await replay({ starting_after: 'x', since: past })).toEqual(['since', 'starting_after'])
      expect(await replay({ starting_after: absentId, since: past })).toEqual(['since', 'starting_after'])
      expect(await replay({ starting_after: absentId, more: 1 })).toEqual(['more', 'starting_after'])
      expect(await replay({ since: 'x', more: 1 })).toEqual(['more', 'since'])
      expect(await replay({ more: 1 })).toEqual(['more', 'starting_after'])
    })
  },
)
