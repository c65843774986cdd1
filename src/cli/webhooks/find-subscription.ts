import type { Client } from '../../client/client.ts'
import type { Subscription } from '../../contract/resources/event.ts'
import { isUuid } from '../../domain/uuid.ts'
import { lookedUp } from '../connection/operation-support.ts'
import { byId, walkPages } from '../connection/paging.ts'
import { theOnlyOne } from '../find/the-only-one.ts'

/** The id of a subscription given by id or address. Throws `not_found`, or `usage` if several have the address. */
export async function findSubscriptionId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const found = await lookedUp(client, 'webhook by its address', () => subscriptionsAt(client, given))
  const told = ({ created_at }: Subscription): string => `created ${created_at}`
  return theOnlyOne(found, given, { noun: 'webhook', by: 'address', told }).id
}

/** The subscriptions that have this address. */
export async function subscriptionsAt(client: Client, address: string): Promise<Subscription[]> {
  const found: Subscription[] = []
  const fetch = (page: number, page_size: number) => client.listSubscriptions({ query: { page, page_size } })
  for await (const { results } of walkPages({ fetch, keyOf: byId })) {
    found.push(...results.filter(({ url }) => url === address))
  }
  return found
}
