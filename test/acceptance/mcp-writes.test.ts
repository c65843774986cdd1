import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callSeconds } from '../../src/cli/commands/mcp/server.ts'
import { operations } from '../../src/contract/operations.ts'
import { type Assistant, startAssistant } from '../support/assistant.ts'
import { listening } from '../support/free-port.ts'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator
let writer: Assistant

beforeAll(async () => {
  operator = await newOperator()
  writer = await startAssistant(operator, ['--allow-writes'])
})
afterAll(async () => {
  await writer.close()
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

describe('an assistant that may write', () => {
  test('buys, receives, sells, and ships, and a repeated key does each once', async () => {
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
    expect((await writer.call('listManifests', { reference: 'PO-77' })).data().total).toBe(1)
  })

  test('creates nothing twice without a key, and is told what was repeated', async () => {
    const lines = [{ description: 'Mint pad', quantity: 1 }]
    const parcel = { sku: 'SUP-TOP-35', quantity: 1, shipping_address: address }
    const head = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
    const row = 'SUP-TOP-35,1,Ada Park,1 Main St,Austin,TX,78701,US,R-2'
    const pads = `${catalog}Pads,PADS,1,1,1,in,1,oz\n`
    const repeats = {
      submitManifest: { reference: 'PO-R1', lines },
      submitManifestCsv: { reference: 'PO-R2', file: 'description,quantity\nMint pad,1\n' },
      createFulfillment: { ...parcel, external_ref: 'R-1' },
      importFulfillmentsCsv: { file: `${head}\n${row}\n` },
      importProductsCsv: { file: pads },
    }
    const { tools } = await writer.client.listTools()
    for (const [name, given] of Object.entries(repeats)) {
      const first = (await writer.call(name, given)).data()
      expect([name, first.repeated ?? []]).toEqual([
        name,
        name === 'importProductsCsv' ? [expect.anything()] : [],
      ])
      const again = (await writer.call(name, given)).data()
      const isOne = first.totals === undefined || name === 'submitManifestCsv'
      if (isOne) expect([name, again.repeated, again.id]).toEqual([name, true, first.id])
      else
        expect([name, again.totals.created, again.repeated.length]).toEqual([name, 0, again.totals.submitted])
      const tool = tools.find((each) => each.name === name)
      expect([name, tool?.description]).toEqual([name, expect.stringContaining('A repeat creates nothing')])
      expect([name, tool?.outputSchema?.properties]).toEqual([
        name,
        expect.objectContaining({ repeated: {} }),
      ])
    }
    const another = await writer.call('createFulfillment', { ...repeats.createFulfillment, quantity: 2 })
    expect([another.isError, another.data().code]).toEqual([true, 'state_conflict'])
  })

  test('deletes, and has faulty input rejected as a whole', async () => {
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

describe('a webhook', () => {
  test('is not created, or changed, to send what another one sends to the same address', async () => {
    const made = { url: 'https://shop.example/twice', event_types: ['item.status.changed'] }
    const { id } = (await writer.call('createSubscription', made)).data()
    const words = `https://shop.example/twice already has a webhook for such events: ${id}. Nothing was changed.`
    for (const event_types of [made.event_types, ['transfer.completed', 'item.status.changed']]) {
      const again = await writer.call('createSubscription', { ...made, event_types })
      expect([again.isError, again.text]).toEqual([true, expect.stringContaining(words)])
    }
    const both = await Promise.all([1, 2].map(() => writer.call('createSubscription', made)))
    expect(both.map(({ isError }) => isError)).toEqual([true, true])
    const others = { ...made, event_types: ['transfer.completed'] }
    const { id: subscription_id } = (await writer.call('createSubscription', others)).data()
    const update = { subscription_id, event_types: ['item.status.changed'] }
    const widened = await writer.call('updateSubscription', update)
    expect([widened.isError, widened.text]).toEqual([true, expect.stringContaining(words)])
    expect((await writer.call('updateSubscription', { subscription_id, active: false })).isError).toBe(false)
    const deliberate = await writer.call('createSubscription', { ...made, idempotency_key: 'second' })
    expect(deliberate.isError).toBe(false)
  })

  test('that is created twice at the same moment is one', async () => {
    const made = { url: 'https://shop.example/at-once', event_types: ['item.status.changed'] }
    await Promise.all([writer.call('createSubscription', made), writer.call('createSubscription', made)])
    const { results } = (await writer.call('listSubscriptions')).data()
    expect(results.filter(({ url }: { url: string }) => url === made.url)).toHaveLength(1)
  })

  test('without an address is rejected by the service', async () => {
    const faulty = (await writer.call('createSubscription', { event_types: 7 })).data()
    expect(Object.keys(faulty.extra.fields).sort()).toEqual(['event_types', 'url'])
  })
})

describe('secrets', () => {
  test('are hidden unless requested, and shown later under the same key', async () => {
    const made = { url: 'https://shop.example/secret', event_types: ['item.status.changed'] }
    const hidden = await writer.call('createSubscription', made)
    expect(hidden.text).not.toMatch(/whsec_/)
    const key = /idempotency_key (\S+)\]/.exec(hidden.data().secret)?.[1]
    const shown = (
      await writer.call('createSubscription', { ...made, idempotency_key: key, show_secret: true })
    ).data()
    expect(shown.secret).toMatch(/^whsec_/)
    expect(shown.id).toBe(hidden.data().id)
    const rotated = await writer.call('rotateSubscriptionSecret', { subscription_id: shown.id })
    expect(rotated.text).not.toMatch(/whsec_/)
  })
})

describe('a service that does not answer', () => {
  const shipped = { sku: 'SLEEVES', quantity: 1, shipping_address: address }
  /** The same arguments in another order. */
  const { shipping_address, quantity, sku } = shipped

  test('causes a cancelled write to be aborted, and the same arguments to use its key later', async () => {
    const service = await startSilentService()
    const assistant = await startAssistant(operator, ['--allow-writes'], service.env)
    const impatient = new AbortController()
    const first = assistant.client.callTool({ name: 'createFulfillment', arguments: shipped }, undefined, {
      signal: impatient.signal,
    })
    const request = await service.next()
    const isCutOff = once(request.response, 'close')
    impatient.abort()
    await expect(first).rejects.toThrow()
    await isCutOff
    const second = assistant.call('createFulfillment', { shipping_address, quantity, sku })
    const repeated = await service.next()
    repeated.answer(201, { id: 'F-1', qids: [], status: 'pending' })
    expect((await second).data().id).toBe('F-1')
    expect(repeated.key).toBe(request.key)
    // The outcome is known, so the same arguments are a new order.
    const third = assistant.call('createFulfillment', shipped)
    const another = await service.next()
    another.answer(201, { id: 'F-2', qids: [], status: 'pending' })
    await third
    expect(another.key).not.toBe(request.key)
    await assistant.close()
    await service.close()
  })

  test('leads to an error that names the Idempotency-Key, which the same arguments reuse', async () => {
    const service = await startSilentService()
    const assistant = await startAssistant(operator, ['--allow-writes', '--max-wait', '1s'], service.env)
    const first = assistant.call('createFulfillment', shipped)
    const { key } = await service.next()
    const { isError, text } = await first
    expect([isError, text]).toEqual([true, expect.stringContaining(`Idempotency-Key ${key}`)])
    const second = assistant.call('createFulfillment', shipped)
    const repeated = await service.next()
    repeated.answer(201, { id: 'F-1', qids: [], status: 'pending' })
    await second
    expect(repeated.key).toBe(key)
    await assistant.close()
    await service.close()
  })

  test('is retried for less than 50 s, whatever --max-wait says', () => {
    expect([undefined, '2m', '45', '10s'].map(callSeconds)).toEqual([45, 45, 45, 10])
  })
})

describe('messages', () => {
  test('a message of 30 MB is answered; one larger than any upload is an error, and the server continues', async () => {
    const file = (mebibytes: number): string => 'x'.repeat(mebibytes * 1024 * 1024)
    const large = await writer.call('importProductsCsv', { file: file(30) })
    expect([large.isError, large.data().code]).toEqual([true, 'validation_error'])
    const tooLarge = writer.call('importProductsCsv', { file: file(50) })
    await expect(tooLarge).rejects.toThrow('A message may have at most 41 MiB.')
    expect((await writer.call('getItemSummary')).isError).toBe(false)
  })

  test('an argument of 4,000 levels is an error that names the limit', async () => {
    const search = `${'['.repeat(4000)}${']'.repeat(4000)}`
    const params = `{"name":"listItems","arguments":{"search":${search}}}`
    const { stdout } = await operator.real(['mcp'], {
      input: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}\n`,
    })
    const message = 'A message must not nest more than 35 levels.'
    expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32_600, message } })
  })

  test('a body of as many names as the service reads is judged by the service', async () => {
    const names = Object.fromEntries(Array.from({ length: 497 }, (_, at) => [`name${at}`, 1]))
    const body = { qids: ['Q-1'], shipping_address: names, idempotency_key: 'names' }
    const { isError, data } = await writer.call('createFulfillment', body)
    expect([isError, data()]).toEqual([true, expect.objectContaining({ code: 'validation_error' })])
  })

  test('are errors if they are not JSON or not JSON-RPC, and do not end the server', async () => {
    const { stdout, exitCode } = await operator.real(['mcp'], {
      input: '{"method":\n\n{"id":7}\n{"jsonrpc":"2.0","id":8,"method":"ping"}\n',
    })
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32_700],
      [7, -32_600],
      [8, undefined],
    ])
    expect(exitCode).toBe(0)
  })
})

type Asked = {
  key: string
  response: ServerResponse
  answer(status: number, body: object): void
}

/** A service that accepts every request and answers only when a test says so. */
async function startSilentService() {
  const waiting: Asked[] = []
  const takers: Array<(asked: Asked) => void> = []
  const server = createServer((request, response) => {
    request.resume()
    const asked: Asked = {
      key: String(request.headers['idempotency-key']),
      response,
      answer(status, body) {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      },
    }
    const take = takers.shift()
    if (take) take(asked)
    else waiting.push(asked)
  })
  const port = await listening(server)
  return {
    env: { CUSTODY_BASE_URL: `http://127.0.0.1:${port}/v1`, CUSTODY_API_KEY: 'csk_test_key' },
    next: (): Promise<Asked> => {
      const asked = waiting.shift()
      return asked ? Promise.resolve(asked) : new Promise((resolve) => takers.push(resolve))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
