import type { Client } from '../../../client/client.ts'
import { addEvent, emptyLog, type LogState } from '../../../domain/items/log-state.ts'
import { eventPages, type LoggedEvent } from '../../events/event-pages.ts'

type Reading = {
  /** ISO 8601; undefined for the whole log. */
  until?: string | undefined
  /** Reads one more event, to know when the log continues. */
  lastId?: string | null
  onRows?: (rows: number) => Promise<void>
  onEvent?: (logged: LoggedEvent, state: LogState) => void
}

export async function logUntil(
  client: Client,
  { until, lastId, onRows, onEvent }: Reading,
): Promise<LogState> {
  const state = emptyLog()
  for await (const { events } of eventPages(client, {})) {
    for (const logged of events) {
      const { event } = logged
      if (until !== undefined && event.created_at > until) return state
      if (!addEvent(state, event, lastId)) return state
      onEvent?.(logged, state)
    }
    await onRows?.(events.length)
  }
  return state
}
