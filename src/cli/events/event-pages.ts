import type { Client } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import type { WebhookEventType } from '../../contract/enums.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import { sleep } from '../../runtime/waiting.ts'
import { patiently } from '../connection/paging.ts'
import type { TypeFilter } from '../find/event-type-filter.ts'
import { type LoggedEvent, loggedEvents } from './logged-event.ts'

type EventBatch = {
  events: LoggedEvent[]
  /** The last event of the page, even if not wanted; undefined if the page is empty. */
  last: string | undefined
  has_more: boolean
}

/** Walks the log from an event to its present end. Throws the reason of `signal` once it is aborted. */
export async function* eventPages(
  client: Client,
  {
    after,
    types,
    signal,
    most = pageSizeMax,
  }: { after?: string | undefined; types?: TypeFilter; signal?: AbortSignal | undefined; most?: number },
): AsyncGenerator<EventBatch, void, undefined> {
  const wait = (ms: number): Promise<void> => sleep(ms, signal)
  // With several types a page also holds unwanted events, which count towards its size.
  const page_size = (types?.size ?? 1) > 1 ? pageSizeMax : Math.min(most, pageSizeMax)
  let cursor = after
  const seen = new Set<string>()
  for (;;) {
    const ask = () => client.listEvents({ query: { ...eventQuery(cursor, types), page_size }, signal })
    const answer = await patiently(ask, wait)
    const { results, has_more } = answer.data
    const last = results.at(-1)?.id
    yield { events: wantedOf(loggedEvents(answer), types), last, has_more }
    if (!has_more || last === undefined) return
    if (seen.has(last))
      throw new NetworkError('foreign', `The log does not end: its pages repeat the event ${last}`)
    seen.add(last)
    cursor = last
  }
}

/** The service filters by one type only; callers filter several themselves. */
export function eventQuery(
  after: string | undefined,
  types: TypeFilter,
): { page_size: number; starting_after?: string; type?: WebhookEventType } {
  const [type, ...others] = types ?? []
  const only = others.length === 0 ? (type as WebhookEventType | undefined) : undefined
  return {
    page_size: pageSizeMax,
    ...(after !== undefined && { starting_after: after }),
    ...(only !== undefined && { type: only }),
  }
}

export function wantedOf(events: readonly LoggedEvent[], types: TypeFilter): LoggedEvent[] {
  return events.filter(({ event }) => types === undefined || types.has(event.type))
}
