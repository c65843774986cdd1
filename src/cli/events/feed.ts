import type { Client } from '../../client/client.ts'
import { maxWaitMs } from '../base/times.ts'
import type { Session } from '../command.ts'
import type { TypeFilter } from '../find/event-type-filter.ts'
import { systemWaiting } from './backoff.ts'
import { eventPages } from './event-pages.ts'
import { followEvents } from './follow.ts'
import type { InFlight } from './in-flight.ts'
import type { TailStart } from './tail-start.ts'

type Feed = {
  session: Session
  client: Client
  types: TypeFilter
  start: TailStart
  isEndless: boolean
  stop: AbortSignal
  inFlight: InFlight
}

export async function feed({
  session,
  client,
  types,
  start,
  isEndless,
  stop,
  inFlight,
}: Feed): Promise<void> {
  const { take: handle, passed } = inFlight
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
    await walk({ client, types, after, stop, inFlight })
  }
}

type Walk = Pick<Feed, 'client' | 'types' | 'stop' | 'inFlight'> & { after: string | undefined }

async function walk({ client, types, after, stop, inFlight }: Walk): Promise<void> {
  try {
    for await (const { events, last } of eventPages(client, { after, types, signal: stop })) {
      for (const logged of events) {
        if (stop.aborted) return
        await inFlight.take(logged)
      }
      if (last !== undefined && !stop.aborted) inFlight.passed(last)
    }
  } catch (error) {
    if (!stop.aborted) throw error
  }
}
