import type { Client } from '../../../client/client.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { isUuid } from '../../../domain/uuid.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { lookedUp } from '../../connection/operation-support.ts'
import { byId, walkPages } from '../../connection/paging.ts'
import { noneFound } from '../../find/find-by-reference.ts'
import { eachNamed, idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import { fulfillmentList, fulfillmentRecord } from '../../views/fulfillments.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Show fulfillments, or all that have a reference',
  examples: ['fulfillments show WEB-20418', 'fulfillments show - < references.txt'],
  define: (show) => show.argument('<fulfillment...>', idsOrReferences),
  view: (_format, given) => oneOrMany(given, fulfillmentRecord, fulfillmentList),
  run,
}

async function run(session: Session, given: string[]): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  const printer = await session.printer()
  const found: Fulfillment[] = []
  try {
    return await eachNamed(session, named, async (name) => {
      const some = await fulfillmentsNamed(client, name)
      if (some.length > 1) session.notice(`${some.length} fulfillments have the reference ${name}.`)
      found.push(...some)
    })
  } finally {
    if (named.isMany || found.length > 1) await printer.all(found)
    else if (found.length > 0) await printer.one(found[0])
  }
}

async function fulfillmentsNamed(client: Client, name: string): Promise<Fulfillment[]> {
  if (isUuid(name)) return [(await client.getFulfillment({ params: { fulfillment_id: name } })).data]
  const fetch = (page: number, page_size: number) =>
    client.listFulfillments({ query: { external_ref: name, page, page_size } })
  const found = await lookedUp(client, 'fulfillment by your reference', () =>
    Array.fromAsync(walkPages({ fetch, keyOf: byId }), ({ results }) => results),
  )
  if (found.flat().length === 0) throw noneFound('fulfillment', name)
  return found.flat()
}
