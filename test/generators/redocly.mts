import { client, configure } from './made/redocly.js'
import { address, newKey, type Steps } from './story.mjs'

export function stepsOf(serverUrl: string, apiKey: string): Steps {
  configure({ serverUrl, auth: { apiKey: { apiKey } } })
  return {
    async importCatalog(csv) {
      const body = new FormData()
      body.append('file', csv)
      const { created, failed } = (await client.importProductsCsv({ body, headers: newKey() })).totals
      return { created, failed }
    },
    async submit(reference, sku, quantity) {
      const body = { reference, lines: [{ description: sku, sku, quantity }] }
      return (await client.submitManifest({ body, headers: newKey() })).id
    },
    async receive(manifest_id) {
      const body = { outcome: 'complete' } as const
      const { intakes } = await client.receiveManifest({ path: { manifest_id }, body, headers: newKey() })
      return intakes.map(({ qid }) => qid)
    },
    async shelve(qid) {
      const body = { to_status: 'available' } as const
      return (await client.advanceItem({ path: { qid }, body, headers: newKey() })).status
    },
    async available(sku) {
      return (await client.listItems({ query: { sku, status: 'available' } })).results.map(({ qid }) => qid)
    },
    async order(sku, quantity) {
      const body = { sku, quantity, shipping_address: address, type: 'standard' } as const
      return (await client.createFulfillment({ body, headers: newKey() })).id
    },
    async cancel(fulfillment_id) {
      return (await client.cancelFulfillment({ path: { fulfillment_id }, headers: newKey() })).status
    },
    async events() {
      return (await client.listEvents({ query: { page_size: 250 } })).results.map(({ type }) => type)
    },
  }
}
