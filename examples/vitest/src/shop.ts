import { type Client, ServiceError } from 'custody/client'
import { Webhook } from 'standardwebhooks'

export type Order = { number: string; qid: string; to: Address }
type Address = {
  recipient_name: string
  street: string
  city: string
  state: string
  zip: string
  country: string
}

/** What the shop may sell: everything that lies in custody and nobody has ordered. */
export async function offers(custody: Client): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const items = custody.listItems.all({ query: { status: 'available' } })
  for await (const { qid, name } of items) names.set(qid, name)
  return names
}

/** Ships an order. Its number is the key: asked for twice, it is shipped once. `undefined` where somebody was faster. */
export async function ship(custody: Client, { number, qid, to }: Order): Promise<string | undefined> {
  try {
    const { data } = await custody.createFulfillment({
      idempotencyKey: `order-${number}`,
      body: { qids: [qid], external_ref: number, shipping_address: to },
    })
    return data.id
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'state_conflict') return undefined
    throw error
  }
}

type Fulfillment = { external_ref: string | null; status: string }

/** What the shop's customers see of their orders, kept by webhooks. */
export class OrderStatuses {
  readonly statuses = new Map<string, string>()
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** The shop's receiver. Throws where the signature is not custody's; may be told the same twice. */
  receive(headers: Record<string, string>, body: string): void {
    const { type, data } = new Webhook(this.#secret).verify(body, headers) as {
      type: string
      data: Fulfillment
    }
    if (type === 'fulfillment.status.changed' && data.external_ref !== null) {
      this.statuses.set(data.external_ref, data.status)
    }
  }
}
