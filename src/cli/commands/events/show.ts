import type { Client } from '../../../client/client.ts'
import { isUuid, timeOfUuid } from '../../../domain/uuid.ts'
import { CliError } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { eventPages } from '../../events/event-pages.ts'
import { eventRecord } from '../../events/event-view.ts'
import { endOfLog } from '../../events/log-end.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show an event',
  examples: ['events show 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --json'],
  define: (show) => show.argument('<event>', 'its id'),
  view: () => eventRecord,
  run,
}

async function run(session: Session, id: string): Promise<void> {
  const { client } = await session.target()
  const wanted = id.toLowerCase()
  for await (const { events } of eventPages(client, { after: await justBefore(client, wanted) })) {
    const found = events.find(({ event }) => event.id === wanted)
    if (found) return (await session.printer()).one(found.event)
    // Identifiers ascend with the log.
    if ((events.at(-1)?.event.id ?? '') > wanted) break
  }
  throw new CliError('not_found', `There is no event with the id "${id}".`, {
    hint: 'See: custody events tail',
  })
}

/** The last event before the time in the identifier; undefined if the log must be read from its beginning. */
async function justBefore(client: Client, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined
  return (await endOfLog(client, 1, { before: timeOfUuid(id) }))?.after
}
