import type { Client } from '../../../client/client.ts'
import { pageSizeDefault } from '../../../contract/limits.ts'
import type { WebhookEvent } from '../../../contract/resources/event.ts'
import { isUuid, timeOfUuid } from '../../../domain/uuid.ts'
import { CliError } from '../../base/cli-error.ts'
import { digits } from '../../base/counted.ts'
import type { CommandFile } from '../../command.ts'
import { endOfLog, eventPages } from '../../events/event-pages.ts'
import { eventList, eventNaming, eventRecord } from '../../events/event-view.ts'
import { eventId, eventTypeFilter, wholeNumber } from '../../find/filters.ts'
import { showCommand } from '../../list/several.ts'

type Options = { type?: string; startingAfter?: string; limit?: string; all?: boolean }

export const ls: CommandFile<[Options]> = {
  summary: 'List events in order, oldest first',
  details: 'For the latest events: custody events tail.',
  examples: [
    'events ls --all --output ndjson > events.ndjson',
    'events ls --type transfer.completed --limit 10',
  ],
  define: (ls) =>
    ls
      .optionsGroup('Filters:')
      .option('--type <types>', 'Only these types, separated by commas')
      .option('--starting-after <id>', 'Start after the event with this id')
      .optionsGroup('How much:')
      .option('--all', 'Fetch every page')
      .option('--limit <n>', `Maximum number of rows (default: ${pageSizeDefault})`),
  view: () => eventList,
  async run(session, options) {
    const types = eventTypeFilter(options.type)
    const limit = options.limit === undefined ? pageSizeDefault : wholeNumber(options.limit, '--limit', 1)
    const most = options.all && options.limit === undefined ? Number.POSITIVE_INFINITY : limit
    const { startingAfter } = options
    const after = startingAfter === undefined ? undefined : eventId(startingAfter, '--starting-after')
    const { client } = await session.target()
    const printer = await session.printer()
    const writer = printer.list()
    const named = printer.isWhole ? undefined : eventNaming(client)
    let count = 0
    let isMore = false
    for await (const page of eventPages(client, { after, types, most })) {
      const events = page.events.slice(0, most - count)
      count += events.length
      isMore = page.has_more || events.length < page.events.length
      const shown = events.map(({ event }) => event)
      await writer.push(named ? await named(shown) : shown)
      if (count >= most) break
    }
    await writer.end()
    if (isMore) session.notice(`the first ${digits(count)}; --all for the rest`)
    else if (count === 0) session.notice('none found')
  },
}

export const show = showCommand(
  {
    record: eventRecord,
    list: eventList,
    define: (show) => show.argument('<event...>', 'Event ids; - for lines of stdin'),
    read: (client, id, _options, isWhole) => eventWithId(client, id, isWhole),
  },
  { summary: 'Show events', examples: ['events show 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --json'] },
)

async function eventWithId(client: Client, id: string, isWhole: boolean): Promise<WebhookEvent | undefined> {
  const wanted = id.toLowerCase()
  // The last event before the time in the id; without one, the log is read from its beginning.
  const before = isUuid(id) ? await endOfLog(client, 1, { before: timeOfUuid(id) }) : undefined
  for await (const { events } of eventPages(client, { after: before?.after })) {
    const found = events.find(({ event }) => event.id === wanted)
    if (found) return isWhole ? found.event : (await eventNaming(client)([found.event]))[0]
    // Event ids ascend with the log.
    if ((events.at(-1)?.event.id ?? '') > wanted) break
  }
  throw new CliError('not_found', `There is no event with the id "${id}".`, {
    hint: 'See: custody events tail',
  })
}
