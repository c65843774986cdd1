import type { Client } from '../../../client/client.ts'
import type { WebhookEvent } from '../../../contract/resources/event.ts'
import { isUuid, timeOfUuid } from '../../../domain/uuid.ts'
import { CliError } from '../../base/cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { endOfLog, eventPages } from '../../events/event-pages.ts'
import { eventList, eventNaming, eventRecord } from '../../events/event-view.ts'
import { forEachNamed, namesFrom, oneOrMany } from '../../list/several.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Show events',
  examples: ['events show 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --json'],
  define: (show) => show.argument('<event...>', 'Event ids; - for lines of stdin'),
  view: (_format, given) => oneOrMany(given, eventRecord, eventList),
  async run(session, given) {
    const named = await namesFrom(session, given)
    const { client } = await session.target()
    const { isWhole } = await session.printer()
    return forEachNamed(session, named, (id) => eventWithId(client, id, isWhole))
  },
}

/** `isWhole`: as on the wire, without the reference of its manifest. */
async function eventWithId(client: Client, id: string, isWhole: boolean): Promise<WebhookEvent | undefined> {
  const wanted = id.toLowerCase()
  for await (const { events } of eventPages(client, { after: await justBefore(client, wanted) })) {
    const found = events.find(({ event }) => event.id === wanted)
    if (found) return isWhole ? found.event : (await eventNaming(client)([found.event]))[0]
    // Event ids ascend with the log.
    if ((events.at(-1)?.event.id ?? '') > wanted) break
  }
  throw new CliError('not_found', `There is no event with the id "${id}".`, {
    hint: 'See: custody events tail',
  })
}

/** The last event before the time in the id; undefined if the log must be read from its beginning. */
async function justBefore(client: Client, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined
  return (await endOfLog(client, 1, { before: timeOfUuid(id) }))?.after
}
