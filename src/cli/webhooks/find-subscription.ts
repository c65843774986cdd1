import type { Client } from '../../client/client.ts'
import type { Subscription } from '../../contract/resources/event.ts'
import { CliError } from '../base/cli-error.ts'
import { lookedUp } from '../connection/operation-support.ts'
import { byId, walkPages } from '../connection/paging.ts'
import { isUuid } from '../find/find-manifest.ts'

/** The id of a subscription given by id or address. Throws `not_found`, or `usage` where several have the address. */
export async function findSubscriptionId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const found: Subscription[] = []
  const fetch = (page: number, page_size: number) =>
    lookedUp(client, 'webhook by its address', () => client.listSubscriptions({ query: { page, page_size } }))
  for await (const { results } of walkPages({ fetch, keyOf: byId })) {
    found.push(...results.filter(({ url }) => url === given))
  }
  const [one, ...others] = found
  if (one === undefined) {
    throw new CliError('not_found', `There is no webhook with the id or address "${given}".`, {
      hint: 'See: custody webhooks ls',
    })
  }
  if (others.length === 0) return one.id
  const fields = Object.fromEntries(found.map(({ id, created_at }) => [id, [`created ${created_at}`]]))
  throw new CliError('usage', `Several webhooks have the address "${given}"; give the id of one.`, { fields })
}
