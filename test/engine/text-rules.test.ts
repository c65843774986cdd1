import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { once } from '../../src/contract/once.ts'
import { fulfillmentColumns } from '../../src/domain/fulfillments/fulfillment-csv.ts'
import { productColumns } from '../../src/domain/items/product-csv.ts'
import { manifestColumns } from '../../src/domain/manifests/manifest-csv.ts'
import { forAllTests, harnessWith } from '../support/each.ts'
import { databases, type Harness } from '../support/harness.ts'

type Row = Record<string, string>
type JsonSchema = {
  maxLength?: number
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  $ref?: string
}

const card = '\u{1F0CF}'
const die = '\u{1F3B2}'
const product = {
  name: 'Box',
  length: '1',
  width: '1',
  height: '1',
  dimension_unit: 'in',
  weight: '1',
  weight_unit: 'oz',
}
const address = { recipient_name: 'A', street: 'B', city: 'C', state: 'CA', zip: '90210', country: 'US' }
const kinds = [
  {
    kind: 'products',
    columns: productColumns,
    texts: ['name', 'sku', 'upc'],
    base: { ...product, sku: 'S' },
  },
  {
    kind: 'manifests',
    columns: manifestColumns,
    texts: ['external_ref', 'description', 'grader', 'cert_number'],
    base: { description: 'x', grader: 'PSA', cert_number: '1' },
  },
  {
    kind: 'fulfillments',
    columns: fulfillmentColumns,
    texts: ['recipient_name', 'street', 'street_2', 'city', 'external_ref', 'special_instructions'],
    base: { ...address, sku: 'S', quantity: '1' },
  },
] as const

describe.each(databases)('one text rule for JSON and CSV, over $name (decisions 12)', (database) => {
  const harness = forAllTests(harnessWith(database))
  let sent = 0

  const post = async (
    operation: Parameters<Harness['call']>[0]['operation'],
    body: Parameters<Harness['call']>[0]['body'],
  ) => {
    sent += 1
    const reply = await harness.call({ operation, body: body!, headers: { 'idempotency-key': `k${sent}` } })
    return JSON.parse(reply.body)
  }
  /** The rejected fields, in JSON and in CSV. */
  const byJson = async (kind: string, row: Row): Promise<string[]> => {
    const [operation, body] = jsonOf(kind, row)
    const { extra } = await post(operation, async () => ({ kind: 'json', text: JSON.stringify(body) }))
    return Object.keys(extra?.fields ?? {}).map((path) =>
      path.replace(/^lines\[0\]\.|^shipping_address\./, ''),
    )
  }
  const byCsv = async (kind: string, row: Row): Promise<string[]> => {
    const operation = (
      {
        products: 'importProductsCsv',
        manifests: 'submitManifestCsv',
        fulfillments: 'importFulfillmentsCsv',
      } as const
    )[kind]
    const quoted = Object.values(row).map((value) => `"${value.replaceAll('"', '""')}"`)
    const bytes = Buffer.from(`${Object.keys(row).join(',')}\n${quoted.join(',')}\n`)
    const fields: Array<[string, string]> = kind === 'manifests' ? [['reference', 'PO']] : []
    const body = await post(operation, async () => ({
      kind: 'form',
      fields,
      files: [{ name: 'file', bytes }],
    }))
    const [error] = body.errors ?? body.extra.errors
    return Object.keys(error?.fields ?? {})
  }

  test.each(kinds)(
    'counts the longest texts of $kind in code points, and publishes the limit',
    async ({ kind, texts, base }) => {
      for (const more of [0, 1]) {
        const row = (character: string) => {
          const long = texts.map((field) => [field, character.repeat(publishedLength(kind, field) + more)])
          return { ...base, ...Object.fromEntries(long) }
        }
        // The error also names the unknown SKU of an order.
        const texting = (fields: string[]) =>
          fields.filter((name) => texts.some((field) => field === name)).sort()
        const rejected = more ? [...texts].sort() : []
        expect([texting(await byJson(kind, row(card))), texting(await byCsv(kind, row(die)))]).toEqual([
          rejected,
          rejected,
        ])
      }
    },
  )

  test.each([
    ['https://cdn.example/a%20b.png?x=1#top', true],
    ['HTTP://cdn.example', true],
    ['https://cdn.example/a b.png', false],
    ['https://cdn.example/a\nb.png', false],
    ['https://cdn.example/\u00e4.png', false],
    ['https://cdn.example/%zz', false],
    ['https://cdn.example/<script>', false],
    ['javascript:alert(1)', false],
    ['data:image/png;base64,AA==', false],
    ['file:///etc/passwd', false],
    ['ftp://cdn.example/x.png', false],
    ['mailto:a@cdn.example', false],
  ])('treats image_url %j alike: accepted %s by both, and kept as sent', async (image_url, accepted) => {
    const json = { ...product, sku: `J${sent}`, image_url }
    const csv = { ...product, sku: `C${sent}`, image_url }
    const rejected = accepted ? [] : ['image_url']
    expect([await byJson('products', json), await byCsv('products', csv)]).toEqual([rejected, rejected])
    for (const { sku } of accepted ? [json, csv] : []) {
      const { data } = await harness.client.listProducts({ query: { sku } })
      expect(data.results.map((found) => found.image_url)).toEqual([image_url])
    }
  })

  test("keeps a subscription's URL as sent, and rejects one that a browser would repair, naming the repaired form", async () => {
    const event_types = ['item.status.changed'] as const
    const url = 'https://Hooks.partner.example./x%2f?a=1#b'
    const { data } = await harness.client.createSubscription({
      body: { url: url.replace('https', 'HTTPS'), event_types: [...event_types] },
    })
    expect(data.url).toBe(url)
    const rejected: Array<[string, string]> = [
      [
        'https://hooks.partner.example/a b',
        'must be a URI (RFC 3986); it would be https://hooks.partner.example/a%20b',
      ],
      ['https://hooks.partner.example/a|b{', 'must be a URI (RFC 3986)'],
      ['https://hooks.partner.example/%zz', 'must be a URI (RFC 3986)'],
      [`https://hooks.partner.example/${'x'.repeat(2048)}`, 'must have at most 2048 characters'],
    ]
    for (const [wrong, fault] of rejected) {
      const rejection = { status: 400, extra: { fields: { url: [fault] } } }
      const of = { params: { subscription_id: data.id } }
      const body = { url: wrong, event_types: [...event_types] }
      await expect(harness.client.createSubscription({ body })).rejects.toMatchObject(rejection)
      await expect(harness.client.updateSubscription({ ...of, body })).rejects.toMatchObject(rejection)
    }
  })
})

function jsonOf(kind: string, row: Row) {
  if (kind === 'manifests') return ['submitManifest', { reference: 'PO', lines: [row] }] as const
  if (kind === 'fulfillments') {
    const { sku, quantity, external_ref, special_instructions, ...shipping_address } = row
    return [
      'createFulfillment',
      { sku, quantity: Number(quantity), shipping_address, external_ref, special_instructions },
    ] as const
  }
  const { length, width, height, dimension_unit, weight, weight_unit, ...rest } = row
  const dimensions = {
    length: Number(length),
    width: Number(width),
    height: Number(height),
    unit: dimension_unit,
  }
  return [
    'createProduct',
    { ...rest, dimensions, weight: { value: Number(weight), unit: weight_unit } },
  ] as const
}

const published = once(openApiDocument)

function publishedLength(kind: string, field: string): number {
  const { paths, components } = published() as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: JsonSchema }> } } }>
    components: { schemas: Record<string, JsonSchema> }
  }
  const whole = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const { properties = {} } = whole(
    paths[`/${kind}`]?.post.requestBody.content['application/json']?.schema ?? {},
  )
  const inner = {
    ...properties,
    ...whole(properties.lines?.items ?? {}).properties,
    ...whole(properties.shipping_address ?? {}).properties,
  }
  const { maxLength, anyOf } = inner[field] ?? {}
  return maxLength ?? anyOf?.[0]?.maxLength ?? Number.NaN
}
