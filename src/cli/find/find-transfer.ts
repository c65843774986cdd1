import type { Client } from '../../client/client.ts'
import type { Transfer } from '../../contract/resources/fulfillment.ts'
import { isUuid } from '../../domain/uuid.ts'
import { byId, walkPages } from '../connection/paging.ts'
import { theOnlyOne } from './the-only-one.ts'

/**
 * The id of a transfer given by id or the partner's reference, for which the list has no filter (4.5): it is paged. Throws
 * `not_found`, or `usage` where several have the reference.
 */
export async function findTransferId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const found: Transfer[] = []
  const fetch = (page: number, page_size: number) => client.listTransfers({ query: { page, page_size } })
  for await (const { results } of walkPages({ fetch, keyOf: byId })) {
    found.push(...results.filter(({ external_ref }) => external_ref === given))
  }
  return theOnlyOne(found, given, { noun: 'transfer', told: ({ status }) => status }).id
}
