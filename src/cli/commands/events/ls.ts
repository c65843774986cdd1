import { pageSizeDefault } from '../../../contract/limits.ts'
import type { CommandFile } from '../../command.ts'
import { eventPages } from '../../events/event-pages.ts'
import { eventList, eventNaming } from '../../events/event-view.ts'
import { eventTypeFilter } from '../../find/event-type-filter.ts'
import { eventId, wholeNumber } from '../../find/filters.ts'

type Options = { type?: string; startingAfter?: string; limit?: string; all?: boolean }

export const command: CommandFile<[Options]> = {
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
    if (isMore) session.notice(`the first ${count}; --all for the rest`)
    else if (count === 0) session.notice('none found')
  },
}
