import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { newOperator, type Operator, root } from '../support/operator.ts'

type Arguments = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: answers of every operation, of which each test looks at a field or two
type Ended = { isError: boolean; text: string; data: () => Record<string, any> }

/** An assistant with the server that it has started, and what it says of a call. */
type Assistant = {
  client: Client
  call(name: string, given?: Arguments): Promise<Ended>
  close(): Promise<void>
}

async function startAssistant(operator: Operator, ...flags: string[]): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [`${root}/bin/custody.js`, 'mcp', ...flags],
    env: { ...getDefaultEnvironment(), HOME: operator.folder, CUSTODY_DATABASE: operator.database },
    stderr: 'ignore',
  })
  await client.connect(transport)
  return {
    client,
    async call(name, given = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given })
      const { text } = (content as Array<{ text: string }>)[0]!
      return { isError: isError === true, text, data: () => JSON.parse(text) }
    },
    close: () => client.close(),
  }
}

let operator: Operator
let reader: Assistant
let writer: Assistant

beforeAll(async () => {
  operator = await newOperator()
  ;[reader, writer] = await Promise.all([
    startAssistant(operator),
    startAssistant(operator, '--allow-writes'),
  ])
})
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
  operator.leave()
})

const address = {
  recipient_name: 'Ada Park',
  street: '500 Congress Ave',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}
const catalog = `name,sku,length,width,height,dimension_unit,weight,weight_unit
Sleeves,SLEEVES,1,1,1,in,1,oz
`

describe('an assistant that may only read', () => {
  test('is offered what reads, and each tool says what it takes', async () => {
    const { tools } = await reader.client.listTools()
    const reads = Object.entries(operations).filter(
      ([id, { method }]) => method === 'GET' && id !== 'getOpenApi',
    )
    expect(tools.map(({ name }) => name)).toEqual(reads.map(([id]) => id))
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    expect(tools.find(({ name }) => name === 'getManifest')?.inputSchema).toMatchObject({
      properties: { manifest_id: { type: 'string' }, page: { type: 'integer' } },
      required: ['manifest_id'],
    })
    expect(reader.client.getInstructions()).toMatch(/Tools only read/)
  })

  test('answers questions: what is there, what came, what is ordered, what happened', async () => {
    const items = (await reader.call('listItems', { status: 'available', page_size: 2 })).data()
    expect(items.results).toHaveLength(2)
    const [{ qid }] = items.results
    expect((await reader.call('getItem', { qid })).data().qid).toBe(qid)
    expect((await reader.call('getItemSummary')).data().by_status.available).toBe(items.total)
    const manifests = (await reader.call('listManifests', { reference: 'PO-1041' })).data()
    const { id: manifest_id } = manifests.results[0]
    expect((await reader.call('getManifest', { manifest_id })).data().lines.length).toBeGreaterThan(0)
    expect((await reader.call('getManifestReport', { manifest_id })).data().totals).toHaveProperty('missing')
    const lists = [
      'listProducts',
      'listInventory',
      'listIntakes',
      'listFulfillments',
      'listTransfers',
      'listEvents',
    ]
    for (const list of lists) expect((await reader.call(list)).data().results.length).toBeGreaterThan(0)
  })

  test('is told in the words of the service what is wrong with a question', async () => {
    const unknown = await reader.call('listItems', { page_size: 1000, colour: 'red' })
    expect([unknown.isError, unknown.data().code]).toEqual([true, 'validation_error'])
    expect(Object.keys(unknown.data().extra.fields).sort()).toEqual(['colour', 'page_size'])
    expect((await reader.call('getItem', { qid: 'Q-NONE' })).data().code).toBe('not_found')
    expect(await reader.call('getItem')).toMatchObject({ isError: true, text: 'qid is required.' })
    expect(await reader.call('format_disk')).toMatchObject({
      isError: true,
      text: 'There is no tool format_disk.',
    })
  })

  test('changes nothing, whatever it asks for', async () => {
    const before = (await reader.call('listEvents', { page_size: 250 })).text
    const writes = Object.entries(operations).filter(([, { method }]) => method !== 'GET')
    expect(writes.length).toBeGreaterThan(15)
    for (const [name] of writes) {
      const { isError, text } = await reader.call(name, { reference: 'PO-9', lines: [{ description: 'x' }] })
      expect([isError, text]).toEqual([true, expect.stringContaining('without --allow-writes')])
    }
    expect((await reader.call('listManifests', { reference: 'PO-9' })).data().total).toBe(0)
    expect((await reader.call('listEvents', { page_size: 250 })).text).toBe(before)
  })
})

describe('an assistant that may write', () => {
  test('buys, takes in, sells and ships, and a call with the same key is done once', async () => {
    const { tools } = await writer.client.listTools()
    expect(tools).toHaveLength(Object.keys(operations).length - 1)
    expect((await writer.call('importProductsCsv', { file: catalog })).data().totals.created).toBe(1)
    const lines = [{ description: 'Sleeves', sku: 'SLEEVES', quantity: 2 }]
    const order = { reference: 'PO-77', lines, idempotency_key: 'assistant-1' }
    const manifest = await writer.call('submitManifest', order)
    expect((await writer.call('submitManifest', order)).text).toBe(manifest.text)
    const { id: manifest_id } = manifest.data()
    const intakes = (await writer.call('receiveManifest', { manifest_id, outcome: 'complete' })).data()
      .intakes
    expect(intakes).toHaveLength(2)
    for (const { qid } of intakes) await writer.call('advanceItem', { qid, to_status: 'available' })
    const shipped = { sku: 'SLEEVES', quantity: 1, shipping_address: address }
    const { id: fulfillment_id } = (await writer.call('createFulfillment', shipped)).data()
    expect((await writer.call('cancelFulfillment', { fulfillment_id })).data().status).toBe('cancelled')
    expect((await writer.call('closeManifest', { manifest_id })).data().status).toBe('reconciled')
    const again = await writer.call('closeManifest', { manifest_id })
    expect([again.isError, again.data().code]).toEqual([true, 'state_conflict'])
    expect((await reader.call('listManifests', { reference: 'PO-77' })).data().total).toBe(1)
  })

  test('what is deleted is gone, and what is faulty is refused whole', async () => {
    const made = { url: 'https://shop.example/hooks', event_types: ['item.status.changed'] }
    const { id: subscription_id } = (await writer.call('createSubscription', made)).data()
    expect((await writer.call('deleteSubscription', { subscription_id })).text).toBe('Done.')
    expect((await writer.call('getSubscription', { subscription_id })).data().code).toBe('not_found')
    const unkept = await writer.call('createSubscription', { ...made, idempotency_key: 7 })
    expect(unkept).toMatchObject({ isError: true, text: 'idempotency_key must be a string.' })
    const faulty = (await writer.call('submitManifest', { reference: '', lines: [] })).data()
    expect(Object.keys(faulty.extra.fields).sort()).toEqual(['lines', 'reference'])
  })
})

test('the server ends with its input', async () => {
  expect(await operator.run(['mcp'])).toMatchObject({ exitCode: 0, stdout: '' })
})
