import type { Delivery } from '../../../contract/resources/event.ts'

/** `earlier_attempts`: before it was queued again. Without a row of its own it has no `created_at`; the id tells the time. */
export type DeliveryRow = Omit<Delivery, 'created_at'> & {
  created_at: string | null
  subscription_id: string
  earlier_attempts: number
}
