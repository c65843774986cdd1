import type { Client } from '../../client/client.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import { isUuid } from '../find-manifest.ts'
import { pointInTime } from '../times.ts'
import { eventPages, type TypeFilter } from './event-pages.ts'

/**
 * Where a tail begins: events to print first, the event before them, and the event after which the log goes on.
 */
export type TailStart = { events: WebhookEvent[]; before: string | undefined; after: string | undefined }

/** The last `count` events. The interface reads the log forward only, so it is walked. */
export async function lastEvents(client: Client, count: number, types: TypeFilter): Promise<TailStart> {
  let events: WebhookEvent[] = []
  let before: string | undefined
  let after: string | undefined
  for await (const page of eventPages(client, { types })) {
    events.push(...page.events)
    before = events.at(-count - 1)?.id ?? before
    events = count === 0 ? [] : events.slice(-count)
    after = page.last ?? after
  }
  return { events, before: count === 0 ? after : before, after }
}

/** The event after which the log goes on from an id or a time; undefined for its beginning. */
export async function startSince(client: Client, since: string, now: number): Promise<string | undefined> {
  if (isUuid(since)) return since
  const time = pointInTime(since, '--since', now)
  let after: string | undefined
  for await (const { events } of eventPages(client, {})) {
    for (const event of events) {
      if (event.created_at >= time) return after
      after = event.id
    }
  }
  return after
}
