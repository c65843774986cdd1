import { type Client, ServiceError } from '../../client/client.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { CliError } from '../base/cli-error.ts'
import { itemsByQid } from '../find/by-key.ts'

/** Names the items of a request that the service does not know: it answers only that there is one. */
export async function namingUnknown<T>(
  client: Client,
  qids: readonly string[],
  answer: Promise<T>,
): Promise<T> {
  return answer.catch(async (error) => {
    if (qids.length < 2 || !(error instanceof ServiceError && error.code === 'not_found')) throw error
    const found = await itemsByQid(client, new Set(qids.flatMap((qid) => canonicalQid(qid) ?? []))).catch(
      () => {
        throw error
      },
    )
    const unknown = qids.filter((qid) => !found.has(canonicalQid(qid) ?? ''))
    if (unknown.length === 0) throw error
    throw new CliError('not_found', `No item has the QID ${unknown.join(' or ')}.`, {
      hint: 'See: custody items ls --search TEXT',
    })
  })
}
