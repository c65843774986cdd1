import { pageSizeMax } from '../../../contract/limits.ts'
import { isUuid } from '../../../domain/uuid.ts'
import type { CommandFile, Session } from '../../command.ts'
import { lookedUp } from '../../connection/operation-support.ts'
import { noneFound } from '../../find/the-only-one.ts'
import { fulfillmentRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show a fulfillment, or all that have a reference',
  examples: ['fulfillments show WEB-20418'],
  define: (show) => show.argument('<fulfillment>', 'Its id or your reference'),
  view: () => fulfillmentRecord,
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const printer = await session.printer()
  if (isUuid(given)) {
    const { data } = await client.getFulfillment({ params: { fulfillment_id: given } })
    return printer.one(data)
  }
  const lookUp = () => client.listFulfillments({ query: { external_ref: given, page_size: pageSizeMax } })
  const { results } = (await lookedUp(client, 'fulfillment by your reference', lookUp)).data
  const [one, ...others] = results
  if (one === undefined) throw noneFound('fulfillment', given)
  if (others.length === 0) return printer.one(one)
  session.notice(`${results.length} fulfillments have the reference ${given}.`)
  await printer.all(results)
}
