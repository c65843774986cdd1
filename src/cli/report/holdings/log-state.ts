import type { Client } from '../../../client/client.ts'
import type { WebhookEvent } from '../../../contract/resources/event.ts'
import type { IntakeEvent, Item } from '../../../contract/resources/item.ts'
import { isHeld } from '../../../domain/items/item-states.ts'
import { eventPages } from '../../events/event-pages.ts'
import type { LoggedEvent } from '../../events/logged-event.ts'

export type HeldItem = Pick<
  Item,
  'qid' | 'status' | 'name' | 'sku' | 'grader' | 'grade' | 'cert_number' | 'category' | 'intake_at'
>

/** What the log says up to an event: which items were held, and which event is the last. */
type LogState = { held: Map<string, HeldItem>; last: WebhookEvent | undefined }

type Reading = {
  /** ISO 8601; the whole log if left out. */
  until?: string | undefined
  onRows?: (rows: number) => Promise<void>
  onEvent?: (logged: LoggedEvent) => void
}

/** Reads the log from its first event up to a time. */
export async function logUntil(client: Client, { until, onRows, onEvent }: Reading): Promise<LogState> {
  const state: LogState = { held: new Map(), last: undefined }
  for await (const { events } of eventPages(client, {})) {
    for (const logged of events) {
      const { event } = logged
      if (until !== undefined && event.created_at > until) return state
      const item = itemOf(event)
      if (item !== undefined) {
        if (isHeld(item.status as never)) state.held.set(item.qid, factsOf(item))
        else state.held.delete(item.qid)
      }
      state.last = event
      onEvent?.(logged)
    }
    await onRows?.(events.length)
  }
  return state
}

/** The item that an event is about, as it was just after. */
export function itemOf({ type, data }: WebhookEvent): Item | undefined {
  if (type === 'item.intake.completed') return (data as IntakeEvent).item
  return type === 'item.status.changed' ? (data as Item) : undefined
}

export function factsOf(item: Item): HeldItem {
  const { qid, status, name, sku, grader, grade, cert_number, category, intake_at } = item
  return { qid, status, name, sku, grader, grade, cert_number, ...(category && { category }), intake_at }
}
