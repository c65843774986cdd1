import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { type Assistant, startAssistant } from '../support/assistant.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forAllTests(operatorWith())
let reader: Assistant
let writer: Assistant

beforeAll(async () => {
  ;[reader, writer] = await Promise.all([
    startAssistant(operator),
    startAssistant(operator, ['--allow-writes']),
  ])
})
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()])
})

type JsonSchema = { description?: string; properties?: Record<string, JsonSchema>; items?: JsonSchema }

/** Every property below a schema, with its description. */
function described(
  path: string,
  { properties = {}, items }: JsonSchema,
): Array<{ path: string; text?: string }> {
  const inner = Object.entries(properties).flatMap(([name, schema]) => [
    { path: `${path}.${name}`, ...(schema.description && { text: schema.description }) },
    ...described(`${path}.${name}`, schema),
  ])
  return [...inner, ...(items ? described(`${path}[]`, items) : [])]
}

const openApi = JSON.parse(readFileSync(`${root}/test/golden/openapi.json`, 'utf8'))

describe('an assistant that may only read', () => {
  test('is offered only reads, and each tool describes its arguments', async () => {
    const { tools } = await reader.client.listTools()
    const reads = Object.entries(operations).filter(
      ([id, { method }]) => method === 'GET' && id !== 'getOpenApi',
    )
    expect(tools.map(({ name }) => name).sort()).toEqual(reads.map(([id]) => id).sort())
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    expect(tools.find(({ name }) => name === 'getManifest')?.inputSchema).toMatchObject({
      properties: {
        manifest_id: { type: 'string' },
        page_size: { type: 'integer' },
        cursor: { type: 'string' },
      },
      required: ['manifest_id'],
    })
    expect(reader.client.getInstructions()).toMatch(/Tools only read/)
  })

  test('answers questions about items, arrivals, orders, and events', async () => {
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

  test("gets the service's own words for a wrong question", async () => {
    const wrong = await reader.call('listItems', { page_size: 1000, status: 'lost' })
    expect([wrong.isError, wrong.data().code]).toEqual([true, 'validation_error'])
    expect(Object.keys(wrong.data().extra.fields).sort()).toEqual(['page_size', 'status'])
    expect((await reader.call('getItem', { qid: 'Q-NONE' })).data().code).toBe('not_found')
    expect(await reader.call('getItem')).toMatchObject({ isError: true, text: 'qid is required.' })
    for (const name of ['format_disk', 'constructor', 'toString', '__proto__', 'getOpenApi'])
      expect(await reader.call(name)).toMatchObject({ isError: true, text: `There is no tool ${name}.` })
  })

  test('may give a list where an argument is a JSON array as text', async () => {
    const { text } = await reader.call('findSlabs', { cert_numbers: '["48929385"]' })
    expect(await reader.call('findSlabs', { cert_numbers: ['48929385'] })).toMatchObject({
      isError: false,
      text,
    })
  })

  test('gets an error for arguments that a tool does not have, with those that it has', async () => {
    const given = { page: 2, constructor: 1, ['x'.repeat(65_536)]: 1 }
    const { isError, text } = await reader.call('listProducts', given)
    expect([isError, text]).toEqual([
      true,
      `listProducts has no page, constructor, ${'x'.repeat(100)}. Its arguments are page_size, sku, cursor.`,
    ])
    for (const [tool, name] of [
      ['getItemSummary', 'cursor'],
      ['getItemSummary', 'show_secret'],
      ['listEvents', 'idempotency_key'],
    ] as const)
      expect(await reader.call(tool, { [name]: '1' })).toMatchObject({
        isError: true,
        text: expect.stringContaining(`${tool} has no ${name}.`),
      })
  })

  test('changes nothing, whatever it asks', async () => {
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

describe("an assistant's first messages", () => {
  test('list tools in under 12 kB, or 36 kB with writes', async () => {
    const sizes = await Promise.all([reader, writer].map(({ client }) => client.listTools()))
    const [reads, all] = sizes.map((tools) => Buffer.byteLength(JSON.stringify(tools)))
    expect(reads).toBeLessThan(12_000)
    expect(all).toBeLessThan(36_000)
  })

  test("describe every property of every tool in the document's words", async () => {
    const { tools } = await writer.client.listTools()
    const properties = tools.flatMap(({ name, inputSchema }) => described(name, inputSchema as JsonSchema))
    expect(properties.length).toBeGreaterThan(150)
    expect(properties.filter(({ text }) => !text).map(({ path }) => path)).toEqual([])
    expect(properties.find(({ path }) => path === 'createFulfillment.shipping_address.zip')?.text).toBe(
      openApi.components.schemas.ShippingAddressCreate.properties.zip.description,
    )
  })

  test('name no header and no path, since a call has none', async () => {
    const { tools } = await writer.client.listTools()
    expect(
      tools.flatMap(({ name, description }) =>
        /`(?:Custody-|Prefer|Link)/.test(description ?? '') ? name : [],
      ),
    ).toEqual([])
    expect(JSON.stringify(tools)).not.toContain('URL-encode')
    const order = tools.find(({ name }) => name === 'createFulfillment')
    expect(order?.description).toMatch(/accepted or rejected as a whole\. A repeat creates nothing[^.]*\.$/)
  })

  test('say in titles and hints which writes change existing things and which may be repeated', async () => {
    const { tools } = await writer.client.listTools()
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]))
    expect(tools.find(({ name }) => name === 'submitManifestCsv')?.title).toBe('Submit manifest (CSV)')
    for (const name of ['deleteSubscription', 'cancelFulfillment', 'closeManifest', 'createFulfillment'])
      expect([name, hints.get(name)?.destructiveHint]).toEqual([name, true])
    for (const name of ['submitManifest', 'createProduct', 'testSubscription'])
      expect([name, hints.get(name)?.destructiveHint]).toEqual([name, false])
    for (const name of ['deleteSubscription', 'updateSubscription', 'cancelFulfillment', 'advanceItem'])
      expect([name, hints.get(name)?.idempotentHint]).toEqual([name, true])
    for (const name of ['createFulfillment', 'advanceClock', 'rotateSubscriptionSecret'])
      expect([name, hints.get(name)?.idempotentHint]).toEqual([name, false])
  })

  test('promise answers as objects, in the form that the tool declares', async () => {
    const { tools } = await reader.client.listTools()
    for (const { name, outputSchema } of tools) {
      expect([name, outputSchema?.type]).toEqual([name, 'object'])
      expect([name, Object.keys(outputSchema?.properties ?? {})]).not.toEqual([name, []])
    }
    const item = tools.find(({ name }) => name === 'getItem')
    expect(Object.keys(item?.outputSchema?.properties ?? {})).toEqual(['qid', 'status'])
    const { structuredContent, content } = await reader.client.callTool({
      name: 'getItemSummary',
      arguments: {},
    })
    expect(structuredContent).toEqual(JSON.parse((content as Array<{ text: string }>)[0]!.text))
  })

  test('include the pages of custody docs as resources', async () => {
    const { resources } = await reader.client.listResources()
    const { contents } = await reader.client.readResource({ uri: 'custody://docs/submitManifestCsv.md' })
    expect(resources.length).toBe(Object.keys(operations).length + 2)
    expect(contents[0]).toMatchObject({ text: readFileSync(`${root}/docs/api/submitManifestCsv.md`, 'utf8') })
    const unknown = reader.client.readResource({ uri: 'custody://docs/../package.json' })
    await expect(unknown).rejects.toThrow('There is no resource')
  })

  test('include two prompts: one finds what is missing, one checks a buy sheet', async () => {
    const { prompts } = await reader.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['whats_missing_this_week', 'check_buy_sheet'])
    const { messages } = await reader.client.getPrompt({
      name: 'check_buy_sheet',
      arguments: { sheet: 'description\nBox' },
    })
    expect(messages[0]?.content).toMatchObject({ text: expect.stringMatching(/description\nBox$/) })
    for (const name of ['check_buy_sheet', 'constructor'])
      await expect(reader.client.getPrompt({ name })).rejects.toThrow()
  })
})

describe('pages', () => {
  test('read a list to its end by cursor, each result once', async () => {
    const { total } = (await reader.call('listItems')).data()
    const seen: string[] = []
    let cursor: string | undefined | null
    do {
      const page = (await reader.call('listItems', { page_size: 7, cursor })).data()
      seen.push(...page.results.map(({ qid }: { qid: string }) => qid))
      cursor = page.next_cursor
    } while (cursor)
    expect(seen.length).toBeGreaterThan(7)
    expect([seen.length, new Set(seen).size]).toEqual([total, total])
  })

  test('reject a cursor of another list or of other arguments', async () => {
    const { next_cursor: cursor } = (await reader.call('listItems', { page_size: 2 })).data()
    for (const given of [{ page_size: 2, status: 'available' }, { page_size: 3 }])
      expect(await reader.call('listItems', { ...given, cursor })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^cursor: /),
      })
    expect((await reader.call('listManifests', { page_size: 2, cursor })).isError).toBe(true)
    expect((await reader.call('getItemSummary', { cursor })).isError).toBe(true)
  })

  test('return the lines of a manifest by cursor', async () => {
    const { results } = (await reader.call('listManifests', { reference: 'PO-1041' })).data()
    const given = { manifest_id: results[0].id, page_size: 2 }
    const first = (await reader.call('getManifest', given)).data()
    const second = (await reader.call('getManifest', { ...given, cursor: first.next_cursor })).data()
    expect(first.lines).toHaveLength(2)
    expect(second.lines[0].id).not.toBe(first.lines[0].id)
  })
})

test('the server ends with its input', async () => {
  expect(await operator.real(['mcp'])).toMatchObject({ exitCode: 0, stdout: '' })
})
