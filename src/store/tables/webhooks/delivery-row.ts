import type { Delivery } from '../../../contract/resources/event.ts'

/** `earlier_attempts`: before it was queued again. `created_at`: null if it waits in the log; the id contains the time. */
export type DeliveryRow = Omit<Delivery, 'created_at'> & {
  created_at: string | null
  subscription_id: string
  earlier_attempts: number
}
