import type { Client } from '../../src/client/client.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'

/** Oldest first. */
export function everyEvent(
  client: Pick<Client, 'listEvents'>,
  type?: WebhookEvent['type'],
): Promise<WebhookEvent[]> {
  return Array.fromAsync(client.listEvents.all({ query: { type } }))
}
