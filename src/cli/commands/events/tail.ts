import { resolve } from 'node:path'
import type { Client } from '../../../client/client.ts'
import type { WebhookEvent } from '../../../contract/resources/event.ts'
import type { CommandFile, Outcome } from '../../command.ts'
import type { Target } from '../../connect.ts'
import { readCursor, saveCursor } from '../../events/cursor-file.ts'
import { eventPages, eventTypeFilter, type TypeFilter } from '../../events/event-pages.ts'
import { eventPrinter } from '../../events/event-printer.ts'
import { followEvents } from '../../events/follow.ts'
import { lastEvents, startSince, type TailStart } from '../../events/tail-start.ts'
import { wholeNumber } from '../../filters.ts'
import { BrokenPipe } from '../../io.ts'
import type { Session } from '../../session.ts'

type Options = {
  follow?: boolean
  limit?: string
  since?: string
  fromStart?: boolean
  type?: string
  cursorFile?: string
}

export const command: CommandFile<[Options]> = {
  summary: 'print the last events; with --follow, go on as they happen',
  details:
    'With --cursor-file, a restart goes on after the last event that was handled. --follow stops cleanly on Ctrl-C.',
  examples: [
    'events tail --follow',
    'events tail --since 24h --type item.intake.completed',
    'events tail --follow --from-start --cursor-file events.cursor --output ndjson >> events.ndjson',
  ],
  define: (command) =>
    command
      .option('-f, --follow', 'go on, one event after another')
      .option('-n, --limit <n>', 'begin with so many of the last events (default: 10)')
      .option('--since <time|id>', 'begin at a time, a span ago such as 24h, or after an event')
      .option('--from-start', 'begin with the first event')
      .option('--type <types>', 'only these types, separated by commas')
      .option('--cursor-file <file>', 'keep there which event was handled last, and go on from it'),
  run,
}

async function run(session: Session, options: Options): Promise<Outcome> {
  try {
    await tail(session, options)
  } catch (error) {
    // Whoever starts it again must see that it did not end by itself.
    if (options.follow && error instanceof BrokenPipe) return 'unreachable'
    throw error
  }
}

async function tail(session: Session, options: Options): Promise<void> {
  const types = eventTypeFilter(options.type)
  const target = await session.target()
  const { client } = target
  const cursor = cursorOf(session, target, options.cursorFile)
  const start = await startOf(session, client, options, types, cursor.saved)
  const printer = await eventPrinter(session, options.follow === true)
  // Before anything has happened: what happens while nobody reads must not be missed.
  if (cursor.saved === undefined) cursor.save(start.before ?? null)
  const handle = async (event: WebhookEvent): Promise<void> => {
    await printer.print(event)
    cursor.save(event.id)
  }
  for (const event of start.events) await handle(event)
  if (options.follow) {
    const { notice, io } = session
    const stop = io.stopSignal()
    await followEvents({ client, types, after: start.after, handle, passed: cursor.save, stop, notice })
  } else if (start.events.length === 0) {
    for await (const page of eventPages(client, { after: start.after, types })) {
      for (const event of page.events) await handle(event)
    }
  }
  await printer.end()
}

type CursorKeeper = { saved: string | null | undefined; save: (id: string | null) => void }

function cursorOf({ io }: Session, { identity }: Target, file: string | undefined): CursorKeeper {
  if (file === undefined) return { saved: undefined, save: () => {} }
  const path = resolve(io.cwd, file)
  return { saved: readCursor(path, identity), save: (id) => saveCursor(path, identity, id) }
}

/** A cursor goes before every flag: it is where the work was left. */
async function startOf(
  { io }: Session,
  client: Client,
  options: Options,
  types: TypeFilter,
  saved: string | null | undefined,
): Promise<TailStart> {
  if (saved !== undefined) return startAfter(saved ?? undefined)
  if (options.fromStart) return startAfter(undefined)
  if (options.since !== undefined) {
    return startAfter(await startSince(client, options.since, io.now()))
  }
  const count = options.limit === undefined ? 10 : wholeNumber(options.limit, '--limit', 0)
  return lastEvents(client, count, types)
}

function startAfter(after: string | undefined): TailStart {
  return { events: [], before: after, after }
}
