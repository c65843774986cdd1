import type { Client } from '../../../client/client.ts'
import { isHeld } from '../../../domain/items/item-states.ts'
import { addEvent, emptyLog, factsOf, type HeldItem, type LogState } from '../../../domain/items/log-state.ts'
import { usage } from '../../base/cli-error.ts'
import { pointInTime } from '../../base/times.ts'
import type { Session } from '../../command.ts'
import { type PageQuery, walkPages } from '../../connection/paging.ts'
import { scopeTime } from '../../connection/scope-time.ts'
import { longWork, readingLog } from '../../database/long-work.ts'
import { eventPages, type LoggedEvent } from '../../events/event-pages.ts'

type Holdings = { at: string; items: HeldItem[] }

/** Items may move between pages during reading, so the list is read again until it agrees with the summary. */
const attemptsMax = 3

export async function holdingsOf(session: Session, atText: string | undefined): Promise<Holdings> {
  const { client } = await session.target()
  const now = await scopeTime(session)
  if (atText === undefined) {
    const read = ({ onRows }: { onRows: OnRows }) => heldNow(session, client, onRows)
    return { at: new Date(now).toISOString(), items: await longWork(session.io, 'reading items', read) }
  }
  const until = endOfDay(atText, '--at', now)
  const { held } = await readingLog(session.io, (onRows) => logUntil(client, { until, onRows }))
  return { at: until, items: [...held.values()] }
}

type OnRows = (rows: number) => Promise<void>

async function heldNow(session: Session, client: Client, onRows: OnRows): Promise<HeldItem[]> {
  for (let attempt = 1; ; attempt++) {
    const items: HeldItem[] = []
    const fetch = (query: PageQuery) => client.listItems({ query: { sort_dir: 'asc', ...query } })
    for await (const { results } of walkPages({ fetch, keyOf: ({ qid }) => qid })) {
      for (const item of results) items.push(factsOf(item))
      await onRows(results.length)
    }
    const counts = Object.entries((await client.getItemSummary({})).data.by_status)
    const isSteady = counts.every(
      ([status, count]) =>
        !isHeld(status as never) || items.filter((item) => item.status === status).length === count,
    )
    if (isSteady) return items
    if (attempt === attemptsMax) {
      session.notice('Items changed while they were read: the report may miss some. --at gives an exact one.')
      return items
    }
  }
}

/** A date means its end in UTC, or `now` if it is today. Throws `usage`, also for a day in the future. */
export function endOfDay(text: string, flag: string, now: number): string {
  const time = pointInTime(text, flag, now)
  const end = /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()}T23:59:59.999Z` : time
  const latest = new Date(now).toISOString()
  if (end.slice(0, 10) > latest.slice(0, 10)) throw usage(`${flag}: "${text}" is in the future.`)
  return end < latest ? end : latest
}

type Reading = {
  /** ISO 8601; undefined for the whole log. */
  until?: string | undefined
  /** Reads one more event, to know when the log continues. */
  lastId?: string | null
  onRows?: OnRows
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
