import type { Client } from '../client/client.ts'
import { pageSizeMax } from '../contract/limits.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'

/** The event log, read forward during the run. */
export type EventLog = {
  /** The events since the last call; at the first call, all so far. */
  fresh(): Promise<WebhookEvent[]>
  /** Runs a task. Answers its result and the events about `subjects` that it caused, in order, also as lines. */
  during<T>(task: () => Promise<T>, subjects: Subjects<T>): Promise<During<T>>
}

/** QIDs and ids, or a function that finds them in the task's result. */
type Subjects<T> = readonly string[] | ((result: T) => readonly string[])
type During<T> = { result: T; lines: string[]; events: WebhookEvent[] }

export function createEventLog(client: Client): EventLog {
  let cursor: string | undefined
  const fresh = async (): Promise<WebhookEvent[]> => {
    const events: WebhookEvent[] = []
    for (;;) {
      const { data } = await client.listEvents({ query: { page_size: pageSizeMax, starting_after: cursor } })
      events.push(...data.results)
      cursor = data.next_starting_after ?? cursor
      if (!data.has_more) return events
    }
  }
  return {
    fresh,
    async during(task, subjects) {
      await fresh()
      const result = await task()
      const about = typeof subjects === 'function' ? subjects(result) : subjects
      const events = (await fresh()).filter((event) => about.includes(subjectOf(event)))
      return { result, events, lines: events.map(eventLine) }
    },
  }
}

/** The QID or id that an event is about. */
function subjectOf({ data }: WebhookEvent): string {
  if ('totals' in data) return data.manifest_id
  return 'qid' in data ? data.qid : data.id
}

/** As in `item.status.changed Q-… available`: type, subject and, if it has one, status. */
function eventLine(event: WebhookEvent): string {
  const { type, data } = event
  if ('totals' in data) return `${type} ${data.manifest_id}`
  return `${type} ${subjectOf(event)} ${'item' in data ? data.item.status : data.status}`
}
