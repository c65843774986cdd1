import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../client/client.ts'
import { waitSecondsMax } from '../../contract/limits.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import { failureOf } from '../failure.ts'
import { eventQuery, type TypeFilter, wantedOf } from './event-pages.ts'

/** How long a client waits that is not told of new events. */
const pollMs = 2000
const backoffMs = { first: 500, most: 30_000 }

export type Follow = {
  client: Client
  types: TypeFilter
  after: string | undefined
  /** Carries out one event; the next comes when it has returned. */
  handle: (event: WebhookEvent) => Promise<void>
  /** Told of the last event of a page, also where it was not wanted. */
  passed: (id: string) => void
  stop: AbortSignal
  notice: (text: string) => void
}

/**
 * Reads the log for ever: long-polls where the service can (decisions 9), else asks again. What passes by itself is
 * waited out; returns when `stop` is aborted, after the event in hand.
 */
export async function followEvents(follow: Follow): Promise<void> {
  const { client, types, stop } = follow
  let after = follow.after
  let failures = 0
  while (!stop.aborted) {
    try {
      const headers = { prefer: `wait=${waitSecondsMax}` }
      const reply = await client.listEvents({ query: eventQuery(after, types), headers, signal: stop })
      if (failures > 0) follow.notice('reached again')
      failures = 0
      after = await handleAll(follow, reply.data.results, after)
      const isWaitedFor = reply.headers['preference-applied'] !== undefined
      if (reply.data.results.length === 0 && !isWaitedFor) await pause(pollMs, stop)
    } catch (error) {
      if (stop.aborted) return
      failures += 1
      await waitOut(error, failures, follow)
    }
  }
}

async function handleAll(
  { handle, passed, types, stop }: Follow,
  results: readonly WebhookEvent[],
  before: string | undefined,
): Promise<string | undefined> {
  for (const event of wantedOf(results, types)) {
    if (stop.aborted) return before
    await handle(event)
  }
  const last = results.at(-1)?.id
  if (last !== undefined && !stop.aborted) passed(last)
  return last ?? before
}

/** Waits twice as long each time, with jitter. Throws again what does not pass by itself. */
async function waitOut(error: unknown, failures: number, { stop, notice }: Follow): Promise<void> {
  const { ending, message } = failureOf(error)
  if (ending !== 'unreachable' && ending !== 'rate_limited') throw error
  if (failures === 1) notice(`${message} Trying again until it answers.`)
  const most = Math.min(backoffMs.first * 2 ** (failures - 1), backoffMs.most)
  await pause(most * (0.5 + Math.random() / 2), stop)
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined)
}
