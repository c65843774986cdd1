import { type Client, ServiceError } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import type { WebhookEventType } from '../../contract/enums.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import { once } from '../../contract/once.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { TypeFilter } from '../find/filters.ts'

/** `text`: the JSON byte for byte as the service sent it, because it is signed and passed on. */
export type LoggedEvent = { event: WebhookEvent; text: () => string }

/** A cursor of another log, or beyond the end of one that was restored from a backup. */
export function isUnknownCursor(error: unknown): error is ServiceError {
  return error instanceof ServiceError && Object.hasOwn(error.extra.fields ?? {}, 'starting_after')
}

type PageAnswer = { data: { results: readonly WebhookEvent[] }; text: string }

/** Finds the texts when the first is asked for: printing needs none. */
export function loggedEvents({ data, text }: PageAnswer): LoggedEvent[] {
  const texts = once(() => resultTexts(text))
  return data.results.map((event, index) => ({ event, text: () => texts()[index] ?? JSON.stringify(event) }))
}

/** JSON strings and structural characters. An unterminated string matches too, so that the search continues after it. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs

export function resultTexts(page: string): string[] {
  const texts: string[] = []
  let depth = 0
  let name = ''
  let start = -1
  for (const { 0: token, index } of page.matchAll(tokens)) {
    if (token.startsWith('"')) {
      if (depth === 1) name = token
      continue
    }
    const isEnd = token === ']' || token === '}'
    if (start >= 0 && depth === 2 && (token === ',' || isEnd)) {
      const text = page.slice(start, index).trim()
      if (text !== '') texts.push(text)
      start = isEnd ? -1 : index + 1
    }
    if (token === '[' && depth === 1 && name === '"results"') start = index + 1
    if (depth === 1 && token === ',') name = ''
    if (token !== ',') depth += isEnd ? -1 : 1
  }
  return texts
}

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
  // With several types a page also holds unwanted events, which count towards its size.
  const page_size = (types?.size ?? 1) > 1 ? pageSizeMax : Math.min(most, pageSizeMax)
  let cursor = after
  const seen = new Set<string>()
  for (;;) {
    const query = { ...eventQuery(cursor, types), page_size }
    const answer = await client.listEvents({ query, signal })
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
  const answer = await client.listEvents({ query, headers })
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
