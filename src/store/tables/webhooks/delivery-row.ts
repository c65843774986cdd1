import type { Delivery } from '../../../contract/resources/event.ts'

/**
 * `earlier_attempts`: those before it was queued again. A delivery waiting in the log has no `created_at`; its id tells the time.
 */
export type DeliveryRow = Omit<Delivery, 'created_at'> & {
  created_at: string | null
  subscription_id: string
  earlier_attempts: number
}
