import type { Client } from '../../client/client.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import { patiently } from '../connection/paging.ts'
import type { TypeFilter } from '../find/event-type-filter.ts'
import { eventQuery, wantedOf } from './event-pages.ts'
import { type LoggedEvent, loggedEvents } from './logged-event.ts'

type LogEnd = { events: LoggedEvent[]; after: string | undefined }

/** Uses `Prefer: last`. Undefined if the service lacks it or `count` exceeds its limit: walk the log instead. `before`: UTC. */
export async function endOfLog(
  client: Client,
  count: number,
  { types, before }: { types?: TypeFilter; before?: string } = {},
): Promise<LogEnd | undefined> {
  if (count > pageSizeMax) return undefined
  const bound = before === undefined ? '' : `; before="${before}"`
  const headers = { prefer: `last=${count}${bound}` }
  const query = eventQuery(undefined, types)
  const answer = await patiently(() => client.listEvents({ query, headers }))
  if (answer.headers['preference-applied'] === undefined) return undefined
  const events = wantedOf(loggedEvents(answer), types)
  return { events, after: events.at(-1)?.event.id }
}

/** Merges one request per type; leaves out events written meanwhile. */
export async function endOfTypes(
  client: Client,
  count: number,
  types: ReadonlySet<string>,
): Promise<LogEnd | undefined> {
  const end = await endOfLog(client, 1)
  if (end === undefined) return undefined
  const { after } = end
  const events: LoggedEvent[] = []
  for (const type of types) {
    const of = await endOfLog(client, count, { types: new Set([type]) })
    if (of === undefined) return undefined
    events.push(...of.events.filter(({ event }) => after !== undefined && event.id <= after))
  }
  // Ids ascend in log order.
  events.sort((one, other) => (one.event.id < other.event.id ? -1 : 1))
  return { events: events.slice(-count), after }
}
