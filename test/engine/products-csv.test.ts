import { describe, expect, test } from 'vitest'
import type { ResultOf } from '../../src/contract/operations.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { type ExpectedRows, type RejectedFile, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { usualDatabases } from '../support/harness.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
const rejected = readFixtureJson<RejectedFile[]>('faults/expected.json').filter(
  ({ operation }) => operation === 'importProductsCsv',
)

describe.each(usualDatabases)('POST /products/csv over $name (4.2, decisions 5)', (database) => {
  const harness = forEachTest(harnessWith(database))

  const upload = (file: Uint8Array | string, idempotencyKey?: string) =>
    harness.client.importProductsCsv({ form: { file: Buffer.from(file) }, idempotencyKey })
  const catalog = async () => (await harness.client.listProducts({ query: { page_size: 250 } })).data

  test('reports every fault of the fixture with row, code, and fields, and creates the good rows', async () => {
    expect((await upload(readFixture('catalog.csv'))).data.totals).toEqual({
      created: 72,
      failed: 0,
      submitted: 72,
    })
    const expected = readFixtureJson<ExpectedRows>('products/with-faults.expected.json')
    const { data } = await upload(readFixture('products/with-faults.csv'))
    expect(data.totals).toEqual(expected.totals)
    expect(data.errors.map(({ row, code, fields }) => [row, code, Object.keys(fields).sort()])).toEqual(
      expected.errors.map(({ row, code, fields }) => [row, code, [...fields].sort()]),
    )
    expect((await catalog()).total).toBe(72 + expected.totals.created)
  })

  test("names only a faulty row's own faults, even if the catalog has its SKU (decisions 3)", async () => {
    await upload(productCsv(['B']))
    const { data } = await upload(`${productCsv(['A'])},B,,1,1,1,in,1,oz,\n${lineOf('B')}`)
    expect(data.errors).toEqual([
      { row: 2, code: 'validation_error', fields: { name: ['is required'] }, message: 'name is required.' },
      conflict(3, '"B" is already in the catalog'),
    ])
    expect(data.created.map((product) => product.sku)).toEqual(['A'])
  })

  test('lets another partner have the same SKUs', async () => {
    await upload(productCsv(['A']))
    const { data } = await harness.stranger.importProductsCsv({
      form: { file: Buffer.from(productCsv(['A'])) },
    })
    expect(data.totals.created).toBe(1)
  })

  test.each(rejected)('rejects $file as a whole: $fault', async ({ file, mentions }) => {
    const failure = await upload(readFixture(file)).catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 400, code: 'validation_error' })
    for (const text of mentions) expect((failure as Error).message).toContain(text)
    expect((await catalog()).total).toBe(0)
  })

  test('takes back earlier rows after a fault at the end of a long file, and the same key then works for the corrected file', async () => {
    const skus = Array.from({ length: 3000 }, (_, n) => `SKU-${n}`)
    const good = productCsv(skus)
    await expect(upload(`${good}"open`, 'po-1')).rejects.toMatchObject({
      status: 400,
      extra: { fields: { file: [expect.stringContaining('unterminated quote')] } },
    })
    expect((await catalog()).total).toBe(0)
    expect((await harness.client.listInventory({})).data.total).toBe(0)
    expect((await upload(good, 'po-1')).data.totals.created).toBe(3000)
    expect((await catalog()).total).toBe(3000)
  })

  test('gives every new SKU a stock level of zeros (decisions 7)', async () => {
    await upload(productCsv(['B', 'A']))
    await upload(productCsv(['B', 'C']))
    const { data } = await harness.client.listInventory({})
    expect(data.results).toEqual(
      ['A', 'B', 'C'].map((sku) => ({ sku, on_hand: 0, available: 0, allocated: 0 })),
    )
    expect(data.total).toBe(3)
  })

  test('lets others proceed during a long import', async () => {
    const ended: string[] = []
    const importing = upload(productCsv(Array.from({ length: 20_000 }, (_, n) => `SKU-${n}`)))
    const done = importing.then(({ data }) => ended.push(`imported ${data.totals.created}`))
    await harness.client.listProducts({}).then(({ data }) => ended.push(`listed ${data.total}`))
    await done
    expect(ended).toEqual(['listed 0', 'imported 20000'])
  })
})

function productCsv(skus: readonly string[]): string {
  return `${header}\n${skus.map(lineOf).join('')}`
}

function lineOf(sku: string): string {
  return `Elite Trainer Box,${sku},,7.7,6.9,3.6,in,36.2,oz,\n`
}

function conflict(row: number, message: string): ResultOf<'importProductsCsv'>['errors'][number] {
  return { row, code: 'state_conflict', fields: { sku: [message] }, message: `sku ${message}.` }
}
