import { beforeEach, describe, expect, test } from 'vitest'
import { forEachTest, harnessWith } from '../support/each.ts'
import { type ExpectedRows, readFixture, readFixtureJson, readFixtureRows } from '../support/fixtures.ts'
import { usualDatabases } from '../support/harness.ts'
import { manifestOf, stockCatalog } from '../support/manifests.ts'

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

  test('turns valid rows into one manifest and answers the others by number, with totals that add up', async () => {
    const { data, status } = await upload(
      [
        'external_ref,description,sku,grader,cert_number,quantity',
        'L-1,Charizard #4,,PSA,48201934,',
        'L-2,Elite Trainer Box,ETB-1,,,12',
        'L-3,No such product,ETB-9,,,1',
        'L-4,A grader alone,,PSA,,',
        'L-5,"Commons, mixed",,,,3',
      ].join('\n'),
      { source: 'other' },
    )
    expect(status).toBe(201)
    expect(data.manifest).toEqual({
      id: expect.any(String),
      reference: 'PO-7',
      source: 'other',
      status: 'submitted',
      expected_arrival_start: null,
      expected_arrival_end: null,
      line_count: 3,
      created_at: '2026-05-01T09:00:00.000Z',
    })
    const line = { id: expect.any(String), grader: null, cert_number: null, sku: null, status: 'expected' }
    expect(data.created).toEqual([
      {
        ...line,
        external_ref: 'L-1',
        description: 'Charizard #4',
        grader: 'PSA',
        cert_number: '48201934',
        quantity: 1,
        matched_qids: [],
      },
      {
        ...line,
        external_ref: 'L-2',
        description: 'Elite Trainer Box',
        sku: 'ETB-1',
        quantity: 12,
        matched_qids: [],
      },
      { ...line, external_ref: 'L-5', description: 'Commons, mixed', quantity: 3, matched_qids: [] },
    ])
    expect(data.errors.map(({ row, code, fields }) => [row, code, Object.keys(fields)])).toEqual([
      [3, 'validation_error', ['sku']],
      [4, 'validation_error', ['cert_number']],
    ])
    expect(data.errors[0]).toEqual({
      row: 3,
      code: 'validation_error',
      fields: { sku: ['"ETB-9" is not in the catalog: create the product first, or correct the SKU'] },
      message: 'sku "ETB-9" is not in the catalog: create the product first, or correct the SKU.',
    })
    expect(data.totals).toEqual({ created: 3, failed: 2, submitted: 5 })
    expect((await manifestOf(harness.client, data.manifest.id)).lines).toEqual(data.created)
    expect(await harness.events()).toEqual([])
  })

  test('answers 400 with errors and totals for a file without a valid row, and creates nothing', async () => {
    await expect(upload('description,sku,quantity\nX,ETB-9,1\n,,0\n')).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      message: 'The file has no valid row.',
      extra: {
        fields: { file: ['has no valid row'] },
        errors: [
          { row: 1, code: 'validation_error', fields: { sku: [expect.any(String)] } },
          { row: 2, fields: { description: ['is required'], quantity: [expect.any(String)] } },
        ],
        totals: { created: 0, failed: 2, submitted: 2 },
      },
    })
    expect((await harness.client.listManifests({})).data.total).toBe(0)
  })

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

  test('fails the later row for the same slab twice, however its certificate is written', async () => {
    const { data } = await upload(
      'description,grader,cert_number\nA,PSA,4820-1934\nB,psa,4820 1934\nC,BGS,48201934\n',
    )
    expect(data.created.map((line) => line.description)).toEqual(['A', 'C'])
    expect(data.errors).toEqual([
      {
        row: 2,
        code: 'validation_error',
        fields: { cert_number: [expect.stringContaining('already in row 1')] },
        message: expect.any(String),
      },
    ])
  })

  test.each([
    ['no header', ''],
    ['an unknown column', 'description,cert\nX,1\n'],
    ['a missing required column', 'external_ref\nX\n'],
    ['a quote that is never closed', 'description\n"X\n'],
    ['no data row', 'description\n'],
  ])('rejects a file with %s as a whole, also if earlier rows are good', async (_, text) => {
    await expect(upload(text)).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      extra: { fields: { file: [expect.any(String)] } },
    })
    expect((await harness.client.listManifests({})).data.total).toBe(0)
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
