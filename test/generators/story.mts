/** What a partner does on a first day, by whatever client: each step answers what the next one needs. */
export type Steps = {
  importCatalog(csv: Blob): Promise<{ created: number; failed: number }>
  submit(reference: string, sku: string, quantity: number): Promise<string>
  receive(manifestId: string): Promise<string[]>
  shelve(qid: string): Promise<string>
  available(sku: string): Promise<string[]>
  order(sku: string, quantity: number): Promise<string>
  cancel(fulfillmentId: string): Promise<string>
  events(): Promise<string[]>
}

const rows = `name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url
Elite Trainer Box,ETB-1,,7.7,6.9,3.6,in,36.2,oz,
Booster Bundle,BUN-1,,5.1,2.8,2.3,in,none,oz,
`

/** Throws where a step has another end than it should. */
export async function tell(steps: Steps): Promise<void> {
  same(await steps.importCatalog(new Blob([rows], { type: 'text/csv' })), { created: 1, failed: 1 })
  const manifest = await steps.submit('PO-1', 'ETB-1', 2)
  const qids = await steps.receive(manifest)
  same(qids.length, 2)
  for (const qid of qids) same(await steps.shelve(qid), 'available')
  same((await steps.available('ETB-1')).sort(), qids.sort())
  const order = await steps.order('ETB-1', 2)
  same(await steps.cancel(order), 'cancelled')
  const types = await steps.events()
  for (const type of ['item.intake.completed', 'item.status.changed', 'fulfillment.status.changed'])
    same(types.includes(type), true)
}

function same(found: unknown, wanted: unknown): void {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value))
  if (one !== other) throw new Error(`It is ${one}, not ${other}.`)
}

export const address = {
  recipient_name: 'Grace Okafor',
  street: '2217 SE Alder Street',
  city: 'Portland',
  state: 'OR',
  zip: '97214',
  country: 'US',
}

export function newKey(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': crypto.randomUUID() }
}
