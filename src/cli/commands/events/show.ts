import { CliError } from '../../cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { eventPages } from '../../events/event-pages.ts'
import { eventRecord } from '../../events/event-view.ts'
import type { Session } from '../../session.ts'

export const command: CommandFile<[string]> = {
  summary: 'show one event',
  details: 'The log is read from its beginning until the event is found.',
  examples: ['events show 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --json'],
  define: (show) => show.argument('<event>', 'its id'),
  run,
}

async function run(session: Session, id: string): Promise<void> {
  const { client } = await session.target()
  for await (const { events } of eventPages(client, {})) {
    const found = events.find((event) => event.id === id.toLowerCase())
    if (found) return (await session.printer()).one(found, eventRecord)
  }
  throw new CliError('not_found', `There is no event with the id "${id}".`, {
    hint: 'See: custody events tail',
  })
}
