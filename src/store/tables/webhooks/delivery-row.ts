import type { Delivery } from '../../../contract/resources/event.ts'
import { type ScopedTx, type Sql, sql } from '../../database.ts'

/** `earlier_attempts`: before it was queued again. `created_at`: null if it waits in the log; the id contains the time. */
export type DeliveryRow = Omit<Delivery, 'created_at'> & {
  created_at: string | null
  subscription_id: string
  earlier_attempts: number
}

/** A delivery, or a range of deliveries, of a subscription. */
export type DeliveryKey = { subscriptionId: string; id: string }

export function isRow({ scope }: ScopedTx, { subscriptionId, id }: DeliveryKey): Sql {
  return sql`scope_id = ${scope} and subscription_id = ${subscriptionId} and id = ${id}`
}
