import type { Client } from '../client/client.ts'
import { CliError } from './cli-error.ts'
import { isUuid } from './find-manifest.ts'
import { lookedUp } from './offered.ts'

/** The id of a fulfillment given by id or the partner's reference. Throws `not_found`, or `usage` where several have it. */
export async function findFulfillmentId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const lookUp = () => client.listFulfillments({ query: { external_ref: given } })
  const { results } = (await lookedUp(client, 'fulfillment by your reference', lookUp)).data
  const [found, ...others] = results
  if (found === undefined) {
    throw new CliError('not_found', `There is no fulfillment with the id or reference "${given}".`, {
      hint: 'See: custody fulfillments ls',
    })
  }
  if (others.length === 0) return found.id
  const fields = Object.fromEntries(results.map(({ id, status }) => [id, [status]]))
  throw new CliError('usage', `Several fulfillments have the reference "${given}"; give the id of one.`, {
    fields,
  })
}
