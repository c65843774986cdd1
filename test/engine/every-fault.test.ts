import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CsvRowError } from '../../src/contract/resources/error.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'

const absent = 'Q-0000-0000-0000'
const address = { recipient_name: 'A', street: 'B', city: 'C', state: 'CA', zip: '90210', country: 'US' }
const product = {
  name: 'Box',
  sku: 'BOX',
  dimensions: { height: 1, length: 1, width: 1, unit: 'in' as const },
  weight: { value: 1, unit: 'oz' as const },
}

describe.each(databases)(
  'every faulty field in one answer, look-ups included, over $name (decisions 12)',
  (database) => {
    let harness: Harness
    let slab: string
    beforeAll(async () => {
      harness = await startHarness(database)
      await harness.client.createProduct({ body: product })
      const items = [{ type: 'graded_slab' as const, grader: 'PSA', grade: '9', cert_number: '1' }]
      const { data } = await harness.client.createIntakes({ body: { items } })
      slab = data.intakes[0]?.qid ?? ''
    })
    afterAll(() => harness.close())

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

    test('a manifest row: an unknown SKU beside a bad quantity', async () => {
      const rows = ['description,sku,quantity', 'a,BOX,1', 'b,NONE,0', 'c,BOX,x', ',NONE,2', 'd,NONE,2']
      expect(await upload('submitManifestCsv', rows)).toEqual([
        [2, 'validation_error', ['quantity', 'sku']],
        [3, 'validation_error', ['quantity']],
        [4, 'validation_error', ['description', 'sku']],
        [5, 'validation_error', ['sku']],
      ])
    })

    test('a fulfillment row: an unknown SKU, an unknown QID and an item that is not there beside a bad zip', async () => {
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
        [3, 'validation_error', ['qid', 'zip']],
        [4, 'validation_error', ['quantity', 'sku']],
        [5, 'validation_error', ['quantity', 'zip']],
        [6, 'validation_error', ['sku', 'zip']],
        [7, 'validation_error', ['qid', 'zip']],
        [8, 'not_found', ['qid']],
      ])
    })

    test('a product row: a SKU of the catalog beside a bad weight; one that a later row brings is no fault', async () => {
      const names = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
      const rows = [
        names,
        'a,BOX,1,1,1,in,x,oz',
        'b,NEW,1,1,1,in,x,oz',
        'c,NEW,1,1,1,in,1,oz',
        ',NEW,1,1,1,in,1,oz',
      ]
      expect(await upload('importProductsCsv', rows)).toEqual([
        [1, 'validation_error', ['sku', 'weight']],
        [2, 'validation_error', ['weight']],
        [4, 'validation_error', ['name', 'sku']],
      ])
    })
  },
)
