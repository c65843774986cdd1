import type { Client } from '../client/client.ts'
import { pageSizeMax } from '../contract/limits.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'

/** The whole log of a partner, oldest first. */
export async function everyEvent(client: Client, type?: WebhookEvent['type']): Promise<WebhookEvent[]> {
  const events: WebhookEvent[] = []
  for (let after: string | undefined; ; ) {
    const { data } = await client.listEvents({
      query: { type, page_size: pageSizeMax, starting_after: after },
    })
    events.push(...data.results)
    if (!data.has_more || data.next_starting_after === null) return events
    after = data.next_starting_after
  }
}
