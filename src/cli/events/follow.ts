import type { Answer, Client, DataOf } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { retryAfterMs } from '../../contract/call.ts'
import { waitSecondsMax } from '../../contract/limits.ts'
import { runtime } from '../../runtime/runtime.ts'
import { withTimeLimit } from '../../runtime/waiting.ts'
import { failureOf } from '../base/failure.ts'
import type { TypeFilter } from '../find/event-type-filter.ts'
import { pauseMs, tryingAgain, type Waiting } from './backoff.ts'
import { eventQuery, wantedOf } from './event-pages.ts'
import { type LoggedEvent, loggedEvents } from './logged-event.ts'

/** How long to wait before asking again, if the service cannot hold a request until there are events. */
const pollMs = 2000

export type Follow = {
  client: Client
  types: TypeFilter
  after: string | undefined
  /** Handles one event; the next one follows when it has returned. */
  handle: (logged: LoggedEvent) => Promise<void>
  /** Called with the last event of a page, even if it was not wanted. */
  passed: (id: string) => void
  stop: AbortSignal
  notice: (text: string) => void
  /** How long the log may be out of reach before that is thrown; without limit if left out. */
  maxWaitMs: number | undefined
  waiting: Waiting
}

type Asked = { reply: Answer<DataOf<'listEvents'>>; isNextDue: boolean }

/**
 * Reads the log for ever: long-polls where the service can (decisions 9), else asks again. What passes by itself is
 * waited out; returns when `stop` is aborted, after the event in hand.
 */
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

/** The page after an event, tried until it comes; undefined when `stop` is aborted first. */
async function ask(follow: Follow, after: string | undefined): Promise<Asked | undefined> {
  const { client, types, stop, notice, waiting, maxWaitMs = Number.POSITIVE_INFINITY } = follow
  let failures = 0
  let deadline = Number.POSITIVE_INFINITY
  let fault: unknown
  while (!stop.aborted) {
    const left = deadline - waiting.now()
    try {
      // After a fault the request does not wait for events: an answer shows that the service is back.
      const headers = failures === 0 ? { prefer: `wait=${waitSecondsMax}` } : undefined
      const query = eventQuery(after, types)
      const list = (signal: AbortSignal) => client.listEvents({ query, headers, signal, isTriedOnce: true })
      const isLimited = left < Number.POSITIVE_INFINITY
      const reply = await (isLimited ? withTimeLimit(Math.max(1, left), list, stop) : list(stop))
      if (failures > 0) notice('reached again')
      return { reply, isNextDue: failures > 0 || reply.headers['preference-applied'] !== undefined }
    } catch (error) {
      if (stop.aborted) return undefined
      fault = isAbort(error) ? fault : error
      const { message } = passingFailure(fault)
      failures += 1
      if (failures === 1) deadline = waiting.now() + maxWaitMs
      const wait = pauseMs(failures, waiting.random(), askedMs(fault))
      if (waiting.now() + wait > deadline) throw fault
      if (failures === 1) notice(`${message} ${tryingAgain(maxWaitMs, 'it answers')}`)
      await waiting.pause(wait, stop)
    }
  }
  return undefined
}

/** By the deadline: `stop` was checked before. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)
}

/** Rethrows what does not pass by itself. */
function passingFailure(error: unknown): { message: string } {
  const failure = failureOf(error)
  if (failure.ending !== 'unreachable' && failure.ending !== 'rate_limited') throw error
  return failure
}

function askedMs(error: unknown): number | undefined {
  return error instanceof ServiceError ? retryAfterMs(error.headers, runtime.clock()) : undefined
}
