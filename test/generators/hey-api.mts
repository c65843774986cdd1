import { createClient, createConfig } from './made/hey-api/client/index.js'
import * as api from './made/hey-api/index.js'
import { address, newKey, type Steps } from './story.mjs'

export function stepsOf(baseUrl: string, apiKey: string): Steps {
  const client = createClient(createConfig({ baseUrl, auth: apiKey, throwOnError: true }))
  const asked = { client, throwOnError: true } as const
  return {
    async importCatalog(file) {
      const { data } = await api.importProductsCsv({ ...asked, headers: newKey(), body: { file } })
      return { created: data.totals.created, failed: data.totals.failed }
    },
    async submit(reference, sku, quantity) {
      const body = { reference, lines: [{ description: sku, sku, quantity }] }
      return (await api.submitManifest({ ...asked, headers: newKey(), body })).data.id
    },
    async receive(manifest_id) {
      const body = { outcome: 'complete' as const }
      const path = { manifest_id }
      const { data } = await api.receiveManifest({ ...asked, headers: newKey(), path, body })
      return data.intakes.map(({ qid }) => qid)
    },
    async shelve(qid) {
      const body = { to_status: 'available' as const }
      return (await api.advanceItem({ ...asked, headers: newKey(), path: { qid }, body })).data.status
    },
    async available(sku) {
      const { data } = await api.listItems({ ...asked, query: { sku, status: 'available' } })
      return data.results.map(({ qid }) => qid)
    },
    async order(sku, quantity) {
      const body = { sku, quantity, shipping_address: address }
      return (await api.createFulfillment({ ...asked, headers: newKey(), body })).data.id
    },
    async cancel(fulfillment_id) {
      const { data } = await api.cancelFulfillment({ ...asked, headers: newKey(), path: { fulfillment_id } })
      return data.status
    },
    async events() {
      const { data } = await api.listEvents({ ...asked, query: { page_size: 250 } })
      return data.results.map(({ type }) => type)
    },
  }
}
