import { beforeEach, describe, expect, test } from 'vitest'
import { forEachTest, harnessWith } from '../support/each.ts'
import { type ExpectedRows, readFixture, readFixtureJson, readFixtureRows } from '../support/fixtures.ts'
import { usualDatabases } from '../support/harness.ts'
import { stockCatalog } from '../support/manifests.ts'

describe.each(usualDatabases)('manifests by CSV over $name (4.1, decisions 5)', (database) => {
  const harness = forEachTest(harnessWith(database))
  beforeEach(async () => {
    await stockCatalog(harness.client, 'ETB-1')
  })

  function upload(text: string | Uint8Array, more: { source?: 'other'; idempotencyKey?: string } = {}) {
    const { idempotencyKey, ...form } = more
    const file = typeof text === 'string' ? new TextEncoder().encode(text) : text
    return harness.client.submitManifestCsv({ form: { reference: 'PO-7', file, ...form }, idempotencyKey })
  }

  test('does not look up a row that already failed on its SKU, and answers every error', async () => {
    const rows = Array.from({ length: 600 }, (_, n) => (n === 0 ? 'X,ETB-9,PSA,,x' : 'X,ETB-9,,,'))
    const answer = upload(`description,sku,grader,cert_number,quantity\n${rows.join('\n')}\n`)
    await expect(answer).rejects.toMatchObject({ extra: { totals: { failed: 600 } } })
    await answer.catch(({ extra }) => {
      expect(extra.errors).toHaveLength(600)
      const [both, unknown] = extra.errors
      expect(both.message).toMatch(
        /^quantity .*; sku cannot be combined with grader and cert_number[^"]*; grader cannot/,
      )
      expect(unknown.message).toMatch(/is not in the catalog/)
    })
  })

  test("leaves nothing of a long file's beginning after a fault at its end", async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => `Card ${n}`).join('\n')
    await expect(upload(`description\n${rows}\n"open`)).rejects.toMatchObject({ status: 400 })
    expect((await harness.client.listManifests({})).data.total).toBe(0)
  })

  test.each(['ten-faults', 'two-bad-rows', 'excel-damaged'])(
    'answers the faults of the buy sheet %s',
    async (name) => {
      const catalog = readFixture('catalog.csv')
      await harness.client.importProductsCsv({ form: { file: catalog } })
      const expected = readFixtureJson<ExpectedRows>(`buy-sheets/${name}.expected.json`)
      const { data } = await upload(readFixture(`buy-sheets/${name}.csv`))
      expect(data.totals).toEqual(expected.totals)
      expect(
        data.errors.map(({ row, code, fields }) => ({ row, code, fields: Object.keys(fields).sort() })),
      ).toEqual(expected.errors.map(({ row, code, fields }) => ({ row, code, fields: [...fields].sort() })))
    },
  )

  test('accepts the clean buy sheet as a whole, each row as written', async () => {
    await harness.client.importProductsCsv({ form: { file: readFixture('catalog.csv') } })
    const rows = readFixtureRows('buy-sheets/clean.csv')
    const { data } = await upload(readFixture('buy-sheets/clean.csv'))
    expect(data.errors).toEqual([])
    expect(
      data.created.map((line) => [line.external_ref, line.description, line.sku, line.cert_number]),
    ).toEqual(
      rows.map((row) => [row.external_ref, row.description, row.sku || null, row.cert_number || null]),
    )
  })

  test("does not accept another partner's products", async () => {
    await stockCatalog(harness.stranger, 'ETB-2')
    await expect(upload('description,sku\nX,ETB-2\n')).rejects.toMatchObject({
      extra: { totals: { created: 0, failed: 1, submitted: 1 } },
    })
  })
})
