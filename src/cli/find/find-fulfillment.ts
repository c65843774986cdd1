import type { Client } from '../../client/client.ts'
import { isUuid } from '../../domain/uuid.ts'
import { lookedUp } from '../connection/operation-support.ts'
import { onlyMatch } from './only-match.ts'

/** Throws `not_found`, or `usage` if several have the reference. */
export async function findFulfillmentId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const lookUp = () => client.listFulfillments({ query: { external_ref: given } })
  const { results } = (await lookedUp(client, 'fulfillment by your reference', lookUp)).data
  return onlyMatch(results, given, { noun: 'fulfillment', told: ({ status }) => status }).id
}
