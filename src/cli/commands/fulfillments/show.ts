import type { CommandFile, Session } from '../../command.ts'
import { findFulfillmentId } from '../../find/find-fulfillment.ts'
import { fulfillmentRecord } from '../../views/orders.ts'

export const command: CommandFile<[string]> = {
  summary: 'show one fulfillment',
  examples: ['fulfillments show WEB-20418'],
  define: (show) => show.argument('<fulfillment>', 'its id or your reference'),
  view: () => fulfillmentRecord,
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const fulfillment_id = await findFulfillmentId(client, given)
  const { data } = await client.getFulfillment({ params: { fulfillment_id } })
  await (await session.printer()).one(data)
}
