import type { Client } from '../../client/client.ts'
import { isUuid } from '../../domain/uuid.ts'
import { pointInTime } from '../base/times.ts'
import type { TypeFilter } from '../find/event-type-filter.ts'
import { endOfLog, endOfTypes, eventPages } from './event-pages.ts'
import type { LoggedEvent } from './logged-event.ts'

/** The events to handle first, the event before them, and the event after which the log continues. */
export type TailStart = { events: LoggedEvent[]; before: string | undefined; after: string | undefined }

/** Requests the events directly if the service can do that; otherwise walks the log from its beginning. */
export async function lastEvents(client: Client, count: number, types: TypeFilter): Promise<TailStart> {
  // One more, for the event before them.
  const end = await (types ? endOfTypes(client, count + 1, types) : endOfLog(client, count + 1))
  if (end === undefined) return walkToEnd(client, count, types)
  const { events, after } = end
  if (events.length <= count) return { events, before: undefined, after }
  return { events: events.slice(1), before: events[0]?.event.id, after }
}

async function walkToEnd(client: Client, count: number, types: TypeFilter): Promise<TailStart> {
  let events: LoggedEvent[] = []
  let before: string | undefined
  let after: string | undefined
  for await (const page of eventPages(client, { types })) {
    events.push(...page.events)
    before = events.at(-count - 1)?.event.id ?? before
    events = count === 0 ? [] : events.slice(-count)
    after = page.last ?? after
  }
  return { events, before: count === 0 ? after : before, after }
}

/** Undefined for the beginning of the log. */
export async function startSince(client: Client, since: string, now: number): Promise<string | undefined> {
  if (isUuid(since)) return since
  const time = pointInTime(since, '--since', now)
  const end = await endOfLog(client, 1, { before: time })
  if (end !== undefined) return end.after
  let after: string | undefined
  for await (const { events } of eventPages(client, {})) {
    for (const { event } of events) {
      if (event.created_at >= time) return after
      after = event.id
    }
  }
  return after
}
