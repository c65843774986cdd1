import * as api from './made/orval/client.js'
import { address, newKey, type Steps } from './story.mjs'

/** Orval's functions call `fetch` at the addresses of the document: what is sent where is said by its `baseUrl` and per call. */
export function stepsOf(_baseUrl: string, apiKey: string): Steps {
  const key = { 'X-API-Key': apiKey }
  const keyed = (): RequestInit => ({ headers: { ...key, ...newKey() } })
  return {
    async importCatalog(file) {
      const answer = await api.importProductsCsv({ file }, keyed())
      if (answer.status !== 200) throw new Error(answer.data.message)
      const { created, failed } = answer.data.totals
      return { created, failed }
    },
    async submit(reference, sku, quantity) {
      const answer = await api.submitManifest(
        { reference, lines: [{ description: sku, sku, quantity }] },
        keyed(),
      )
      // 200 answers an order or a manifest that was sent before.
      if (answer.status !== 201 && answer.status !== 200) throw new Error(answer.data.message)
      return answer.data.id
    },
    async receive(manifestId) {
      const answer = await api.receiveManifest(manifestId, { outcome: 'complete' }, keyed())
      if (answer.status !== 201) throw new Error(answer.data.message)
      return answer.data.intakes.map(({ qid }) => qid)
    },
    async shelve(qid) {
      const answer = await api.advanceItem(qid, { to_status: 'available' }, keyed())
      if (answer.status !== 200) throw new Error(answer.data.message)
      return answer.data.status
    },
    async available(sku) {
      const answer = await api.listItems({ sku, status: 'available' }, { headers: key })
      if (answer.status !== 200) throw new Error(`It answers ${answer.status}.`)
      return answer.data.results.map(({ qid }) => qid)
    },
    async order(sku, quantity) {
      const answer = await api.createFulfillment({ sku, quantity, shipping_address: address }, keyed())
      if (answer.status !== 201 && answer.status !== 200) throw new Error(answer.data.message)
      return answer.data.id
    },
    async cancel(fulfillmentId) {
      const answer = await api.cancelFulfillment(fulfillmentId, keyed())
      if (answer.status !== 200) throw new Error(answer.data.message)
      return answer.data.status
    },
    async events() {
      const answer = await api.listEvents({ page_size: 250 }, { headers: key })
      if (answer.status !== 200) throw new Error(`It answers ${answer.status}.`)
      return answer.data.results.map(({ type }) => type)
    },
  }
}
