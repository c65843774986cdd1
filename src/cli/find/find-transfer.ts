import type { Client } from '../../client/client.ts'
import type { Transfer } from '../../contract/resources/fulfillment.ts'
import { isUuid } from '../../domain/uuid.ts'
import { byId, walkPages } from '../connection/paging.ts'
import { onlyMatch } from './only-match.ts'

/** Pages through the list, which has no filter by reference (4.5). Throws `not_found`, or `usage` if several have it. */
export async function findTransferId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const found: Transfer[] = []
  const fetch = (page: number, page_size: number) => client.listTransfers({ query: { page, page_size } })
  for await (const { results } of walkPages({ fetch, keyOf: byId })) {
    found.push(...results.filter(({ external_ref }) => external_ref === given))
  }
  return onlyMatch(found, given, { noun: 'transfer', told: ({ status }) => status }).id
}
