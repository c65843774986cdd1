import type { Delivery } from '../../../contract/resources/event.ts'

/**
 * A delivery by its columns; `earlier_attempts` were made before it was queued again. One that waits in the log has no
 * `created_at`: its id tells.
 */
export type DeliveryRow = Omit<Delivery, 'created_at'> & {
  created_at: string | null
  subscription_id: string
  earlier_attempts: number
}
