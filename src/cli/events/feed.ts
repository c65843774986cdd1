import { type Answer, type Client, type DataOf, ServiceError } from '../../client/client.ts'
import { retryAfterMs } from '../../contract/call.ts'
import { waitSecondsMax } from '../../contract/limits.ts'
import { isUuid } from '../../domain/uuid.ts'
import { runtime, withTimeLimit } from '../../runtime/runtime.ts'
import { failureOf } from '../base/failure.ts'
import { maxWaitMs, pointInTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import type { TypeFilter } from '../find/filters.ts'
import {
  endOfLog,
  endOfTypes,
  eventPages,
  eventQuery,
  type LoggedEvent,
  loggedEvents,
  wantedOf,
} from './event-pages.ts'
import type { InFlight } from './in-flight.ts'
import { pauseMs, systemWaiting, tryingAgain, type Waiting } from './on-failure.ts'

type Feed = {
  session: Session
  client: Client
  types: TypeFilter
  start: TailStart
  isEndless: boolean
  stop: AbortSignal
  inFlight: InFlight
}

export async function feed(given: Feed): Promise<void> {
  const { session, client, types, start, isEndless, stop } = given
  const { take: handle, passed } = given.inFlight
  const { after } = start
  for (const logged of start.events) {
    if (stop.aborted) return
    await handle(logged)
  }
  if (stop.aborted) return
  if (start.events.length > 0 && after !== undefined) passed(after)
  if (isEndless) {
    const { notice } = session
    const waiting = { waiting: systemWaiting, maxWaitMs: maxWaitMs(session.options.maxWait) }
    await followEvents({ client, types, after, handle, passed, stop, notice, ...waiting })
  } else if (start.events.length === 0) {
    try {
      for await (const { events, last } of eventPages(client, { after, types, signal: stop })) {
        for (const logged of events) {
          if (stop.aborted) return
          await handle(logged)
        }
        if (last !== undefined && !stop.aborted) passed(last)
      }
    } catch (error) {
      if (!stop.aborted) throw error
    }
  }
}

/** The poll interval if the service cannot hold a request until there are events. */
const pollMs = 2000

export type Follow = {
  client: Client
  types: TypeFilter
  after: string | undefined
  handle: (logged: LoggedEvent) => Promise<void>
  /** Called with the last event of each page, even if not wanted. */
  passed: (id: string) => void
  stop: AbortSignal
  notice: (text: string) => void
  /** How long the log may be unreachable before the error is thrown; no limit if undefined. */
  maxWaitMs: number | undefined
  waiting: Waiting
}

type Asked = { reply: Answer<DataOf<'listEvents'>>; isNextDue: boolean }

/** Long-polls if the service can (decisions 9), otherwise polls. Waits out passing faults; returns once `stop` is aborted. */
export async function followEvents(follow: Follow): Promise<void> {
  const { types, handle, passed, stop, waiting } = follow
  let { after } = follow
  while (!stop.aborted) {
    const asked = await ask(follow, after)
    if (asked === undefined) return
    const { reply, isNextDue } = asked
    for (const logged of wantedOf(loggedEvents(reply), types)) {
      if (stop.aborted) return
      await handle(logged)
    }
    const last = reply.data.results.at(-1)?.id
    if (last === undefined && !isNextDue) await waiting.pause(pollMs, stop)
    if (last === undefined || stop.aborted) continue
    after = last
    passed(last)
  }
}

/** Retries until a page comes; undefined if `stop` is aborted first. */
async function ask(follow: Follow, after: string | undefined): Promise<Asked | undefined> {
  const { client, types, stop, notice, waiting, maxWaitMs = Number.POSITIVE_INFINITY } = follow
  let failures = 0
  let isTold = false
  let deadline = Number.POSITIVE_INFINITY
  let fault: unknown
  while (!stop.aborted) {
    const left = deadline - waiting.now()
    try {
      // After a failure the request does not wait for events, so that an answer shows at once that the service is back.
      const headers = failures === 0 ? { prefer: `wait=${waitSecondsMax}` } : undefined
      const query = eventQuery(after, types)
      const list = (signal: AbortSignal) => client.listEvents({ query, headers, signal, isTriedOnce: true })
      const isLimited = left < Number.POSITIVE_INFINITY
      const reply = await (isLimited ? withTimeLimit(Math.max(1, left), list, stop) : list(stop))
      if (isTold) notice('connected again')
      return { reply, isNextDue: failures > 0 || reply.headers['preference-applied'] !== undefined }
    } catch (error) {
      if (stop.aborted) return undefined
      // An abort by the deadline: the caller has already checked `stop`.
      if (!(error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name))) fault = error
      const { message, ending } = failureOf(fault)
      if (ending !== 'unreachable' && ending !== 'rate_limited') throw fault
      failures += 1
      if (failures === 1) deadline = waiting.now() + maxWaitMs
      const headers = fault instanceof ServiceError ? fault.headers : {}
      const wait = pauseMs(failures, waiting.random(), retryAfterMs(headers, runtime.clock()))
      if (waiting.now() + wait > deadline) throw fault
      // An import with the same key uses up its requests for a moment.
      if (!isTold && (ending === 'unreachable' || failures > 1)) {
        notice(`${message} ${tryingAgain(maxWaitMs, 'it answers')}`)
        isTold = true
      }
      await waiting.pause(wait, stop)
    }
  }
  return undefined
}

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
  const time = pointInTime(since, '--since', now, 'a time or the id of an event')
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
