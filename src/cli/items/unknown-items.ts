import { type Client, ServiceError } from '../../client/client.ts'
import { CliError } from '../base/cli-error.ts'

/** Names the items of a request that the service does not know: it answers only that there is one. */
export async function namingUnknown<T>(
  client: Client,
  qids: readonly string[],
  answer: Promise<T>,
): Promise<T> {
  return answer.catch(async (error) => {
    if (qids.length < 2 || !isNotFound(error)) throw error
    const unknown: string[] = []
    for (const qid of qids)
      await client.getItem({ params: { qid } }).catch((failure) => {
        if (!isNotFound(failure)) throw error
        unknown.push(qid)
      })
    if (unknown.length === 0) throw error
    throw new CliError('not_found', `No item has the QID ${unknown.join(' or ')}.`, {
      hint: 'See: custody items ls --search TEXT',
    })
  })
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'not_found'
}
