import { describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/contract/operations.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { baseUrl, usualDatabases } from '../support/harness.ts'

describe.each(usualDatabases)('products over $name (4.2)', (database) => {
  const harness = forEachTest(harnessWith(database))

  test('are listed newest first in the envelope of 2.13, and links keep the other parameters', async () => {
    const { client } = harness
    for (const n of [1, 2, 3, 4, 5]) await client.createProduct({ body: etb(`ETB-${n}`) })
    const { data, headers } = await client.listProducts({ query: { page: 2, page_size: 2 } })
    expect(headers.link).toBe(`<${data.next}>; rel="next", <${data.previous}>; rel="prev"`)
    expect(data.results.map((product) => product.sku)).toEqual(['ETB-3', 'ETB-2'])
    expect({ ...data, results: [] }).toEqual({
      page_size: 2,
      count: 2,
      total: 5,
      current_page_number: 2,
      next_page_number: 3,
      next: `${baseUrl}/products?page_size=2&page=3`,
      previous: `${baseUrl}/products?page_size=2&page=1`,
      previous_page_number: 1,
      results: [],
    })
    const last = await client.listProducts({ query: { page: 1, page_size: 5 } })
    expect([last.data.next_page_number, last.data.next, last.headers.link]).toEqual([null, null, undefined])
  })
})

function etb(sku: string): BodyInput<'createProduct'> {
  return {
    name: 'Elite Trainer Box',
    sku,
    dimensions: { height: 7.5, length: 6.6, width: 3.5, unit: 'in' },
    weight: { value: 30, unit: 'oz' },
  }
}
