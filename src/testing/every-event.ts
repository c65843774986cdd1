import type { Client } from '../client/client.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'

/** Oldest first. */
export function everyEvent(
  client: Pick<Client, 'listEvents'>,
  type?: WebhookEvent['type'],
): Promise<WebhookEvent[]> {
  return Array.fromAsync(client.listEvents.all({ query: { type } }))
}
