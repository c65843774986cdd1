import type { Client } from '../../../client/client.ts'
import { pageSizeMax } from '../../../contract/limits.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { isUuid } from '../../../domain/uuid.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { lookedUp } from '../../connection/operation-support.ts'
import { noneFound, onlyMatch } from '../../find/find-manifest.ts'
import { forEachNamed, idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
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
  if (named.isMany) return forEachNamed(session, named, (name) => onlyFulfillment(client, name))
  const [name = ''] = named.names
  const found = await fulfillmentsNamed(client, name)
  const printer = await session.printer()
  const [one] = found
  if (found.length === 1) return printer.one(one)
  session.notice(`${found.length} fulfillments have the reference ${name}.`)
  await printer.all(found)
}

async function onlyFulfillment(client: Client, name: string): Promise<Fulfillment> {
  return onlyMatch(await fulfillmentsNamed(client, name), name, {
    noun: 'fulfillment',
    told: ({ status }) => status,
  })
}

async function fulfillmentsNamed(client: Client, name: string): Promise<Fulfillment[]> {
  if (isUuid(name)) return [(await client.getFulfillment({ params: { fulfillment_id: name } })).data]
  const lookUp = () => client.listFulfillments({ query: { external_ref: name, page_size: pageSizeMax } })
  const { results } = (await lookedUp(client, 'fulfillment by your reference', lookUp)).data
  if (results.length === 0) throw noneFound('fulfillment', name)
  return results
}
