import type { Client } from '../../../client/client.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { isId, isUuid } from '../../../domain/uuid.ts'
import type { CommandFile } from '../../command.ts'
import { lookedUp } from '../../connection/operation-support.ts'
import { byId, type PageQuery, walkPages } from '../../connection/paging.ts'
import { noneFound } from '../../find/find-by-reference.ts'
import { listCommand } from '../../list/list-command.ts'
import { idsOrReferences, listEachNamed, namesFrom, oneOrMany } from '../../list/several.ts'
import { fulfillmentList, fulfillmentRecord } from '../../views/fulfillments.ts'

export const ls = listCommand(
  { id: 'listFulfillments', view: fulfillmentList, keys: ['id'] },
  {
    summary: 'List fulfillments, newest first',
    examples: ['fulfillments ls --status exception', 'fulfillments ls --external-ref WEB-20418'],
  },
)

export const show: CommandFile<[string[]]> = {
  summary: 'Show fulfillments, or all that have a reference',
  examples: ['fulfillments show WEB-20418', 'fulfillments show - < references.txt'],
  define: (show) => show.argument('<fulfillment...>', idsOrReferences),
  view: (_format, given) => oneOrMany(given, fulfillmentRecord, fulfillmentList),
  async run(session, given) {
    const named = await namesFrom(session, given)
    const { client } = await session.target()
    return listEachNamed(session, named, async (name) => {
      const found = await fulfillmentsNamed(client, name)
      if (found.length > 1) session.notice(`${found.length} fulfillments have the reference ${name}.`)
      return found
    })
  },
}

async function fulfillmentsNamed(client: Client, name: string): Promise<Fulfillment[]> {
  const withId = async () => [(await client.getFulfillment({ params: { fulfillment_id: name } })).data]
  if (isId(name)) return withId()
  const fetch = (query: PageQuery) => client.listFulfillments({ query: { external_ref: name, ...query } })
  const found = await lookedUp(client, 'fulfillment by your reference', () =>
    Array.fromAsync(walkPages({ fetch, keyOf: byId }), ({ results }) => results),
  )
  if (found.flat().length > 0) return found.flat()
  if (isUuid(name)) return withId()
  throw noneFound('fulfillment', name)
}
