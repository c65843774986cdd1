import createClient from 'openapi-fetch'
import type { paths } from './made/openapi-typescript/schema.d.ts'
import { address, newKey, type Steps } from './story.mjs'

export function stepsOf(baseUrl: string, apiKey: string): Steps {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } })
  return {
    async importCatalog(csv) {
      const form = new FormData()
      form.append('file', csv)
      const { data } = await client.POST('/products/csv', {
        params: { header: newKey() },
        body: { file: '' },
        bodySerializer: () => form,
      })
      return { created: data?.totals.created ?? 0, failed: data?.totals.failed ?? 0 }
    },
    async submit(reference, sku, quantity) {
      const body = { reference, lines: [{ description: sku, sku, quantity }] }
      const { data } = await client.POST('/manifests', { params: { header: newKey() }, body })
      return data?.id ?? ''
    },
    async receive(manifest_id) {
      const params = { path: { manifest_id }, header: newKey() }
      const { data } = await client.POST('/sandbox/manifests/{manifest_id}/receive', {
        params,
        body: { outcome: 'complete' },
      })
      return data?.intakes.map(({ qid }) => qid) ?? []
    },
    async shelve(qid) {
      const params = { path: { qid }, header: newKey() }
      const body = { to_status: 'available' } as const
      return (await client.POST('/sandbox/items/{qid}/advance', { params, body })).data?.status ?? ''
    },
    async available(sku) {
      const params = { query: { sku, status: 'available' as const } }
      return (await client.GET('/items', { params })).data?.results.map(({ qid }) => qid) ?? []
    },
    async order(sku, quantity) {
      const body = { sku, quantity, shipping_address: address, type: 'standard' as const }
      return (await client.POST('/fulfillments', { params: { header: newKey() }, body })).data?.id ?? ''
    },
    async cancel(fulfillment_id) {
      const params = { path: { fulfillment_id }, header: newKey() }
      return (await client.POST('/fulfillments/{fulfillment_id}/cancel', { params })).data?.status ?? ''
    },
    async events() {
      const { data } = await client.GET('/events', { params: { query: { page_size: 250 } } })
      return data?.results.map(({ type }) => type) ?? []
    },
  }
}
