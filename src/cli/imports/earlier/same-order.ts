import type { Client } from '../../../client/client.ts'
import { type Fulfillment, fulfillmentCreate } from '../../../contract/resources/fulfillment.ts'
import { countriesServedByDefault } from '../../../domain/fulfillments/destinations.ts'
import type { FulfillmentRow } from '../../../domain/fulfillments/fulfillment-csv.ts'
import { fulfillmentRequest } from '../../../domain/fulfillments/fulfillment-request.ts'
import { isPerhapsLacking } from '../../connection/operation-support.ts'
import { withSku } from './earlier-orders.ts'
import { orderKeys, rowKey } from './order-content.ts'
import { listOrders } from './orders-by-reference.ts'

/**
 * The newest order of the same reference that asks for just what a body does, as an import compares its rows; a cancelled one does
 * not count. Looked for where units of a SKU are ordered: an item that is named cannot be ordered twice. Undefined where the target
 * lists no orders, or the body is one that it refuses.
 */
export async function sameOrder(client: Client, body: unknown): Promise<Fulfillment | undefined> {
  const { success, data } = fulfillmentCreate().safeParse(body)
  if (!success || data.external_ref == null || data.sku === undefined) return undefined
  const { sku, quantity = 0, external_ref } = data
  const { draft } = fulfillmentRequest(data, { countriesServed: countriesServedByDefault })
  const row = { ...draft, items: { sku, quantity } } as FulfillmentRow
  const orders = await listOrders(client, { external_ref }).catch(async (error) => {
    if (await isPerhapsLacking(client, error)) return []
    throw error
  })
  const alike = orders.filter(
    (order) =>
      order.status !== 'cancelled' && order.type === draft.type && orderKeys(order).includes(rowKey(row)),
  )
  return withSku(client, row, alike, false)
}
