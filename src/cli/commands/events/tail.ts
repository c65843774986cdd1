import { resolve } from 'node:path'
import type { Client } from '../../../client/client.ts'
import { CliError, rejectTwo } from '../../base/cli-error.ts'
import { Advised } from '../../base/failure.ts'
import { BrokenPipe } from '../../base/io.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { lockCursor } from '../../connection/lock-cursor.ts'
import { timeOfAges } from '../../connection/scope-time.ts'
import type { Target } from '../../connection/target-type.ts'
import { type CursorWriter, openCursor, outputFile, readCursor } from '../../events/cursor-file.ts'
import { isUnknownCursor } from '../../events/event-pages.ts'
import { eventList } from '../../events/event-view.ts'
import { feed, lastEvents, startSince, type TailStart } from '../../events/feed.ts'
import { addHandlerOptions, type HandlerOptions, handlerPlan } from '../../events/handler-options.ts'
import { createInFlight, type InFlight } from '../../events/in-flight.ts'
import { handling, printing, type TailWork } from '../../events/tail-work.ts'
import { eventTypeFilter, type TypeFilter, wholeNumber } from '../../find/filters.ts'

type Options = HandlerOptions & {
  follow?: boolean
  limit?: string
  since?: string
  fromStart?: boolean
  type?: string
  cursorFile?: string
}

const restored =
  "If the key is another partner's, give it a cursor file of its own. If the data were restored from a backup, start with --since and the backup's time, and with a new cursor file."

export const command: CommandFile<[Options]> = {
  summary: 'Print the last events, or follow new ones',
  details:
    'With --cursor-file, a restart resumes after the last handled event; the cursor moves only after success. Ctrl-C or SIGTERM stops after the current event; a second one stops immediately. With --follow, custody waits indefinitely for a service that does not answer, unless --max-wait limits it.\n\n--exec and --forward-to hand each event on instead of printing it. --on-failure decides about an event whose handler fails: retry repeats it with growing pauses, skip continues with the next event, and stop exits 9. What handlers get, and when custody gives up, is in: custody help unattended',
  examples: [
    'events tail --follow',
    'events tail --since 24h --type item.intake.completed',
    'events tail --follow --from-start --cursor-file events.cursor --output ndjson >> events.ndjson',
    "events tail --follow --cursor-file mail.cursor --type fulfillment.issue.raised --exec 'mail -s issue ops@example.com'",
    'events tail --follow --forward-to http://localhost:3000/hook --secret-file webhook.secret',
  ],
  define: (command) =>
    addHandlerOptions(
      command
        .option('-f, --follow', 'Keep printing events as they happen')
        .option('-n, --limit <n>', 'Start with the last n events (default: 10)')
        .option('--since <time|id>', 'Start at a time, a while ago (24h), or after an event')
        .option('--from-start', 'Start with the first event')
        .option('--type <types>', 'Only these types, separated by commas')
        .option('--cursor-file <file>', 'Save the position in this file and resume from it'),
    ),
  view: () => eventList,
  async run(session, options) {
    const { cursorFile } = options
    const unlock = cursorFile === undefined ? () => {} : lockCursor(resolve(session.io.cwd, cursorFile))
    try {
      return await tail(session, options)
    } catch (error) {
      // A supervisor must see that the run did not end by itself.
      if (options.follow && error instanceof BrokenPipe) return 'unreachable'
      if (cursorFile !== undefined && isUnknownCursor(error)) throw new Advised(error, restored)
      throw error
    } finally {
      unlock()
    }
  },
}

async function tail(session: Session, options: Options): Promise<Outcome> {
  const types = eventTypeFilter(options.type)
  rejectTwo({ '--limit': options.limit, '--since': options.since, '--from-start': options.fromStart })
  const plan = handlerPlan(options)
  const target = await session.target()
  // Aborted by a signal, and by an event that ends the run.
  const halt = new AbortController()
  const stop = halt.signal
  const isEndless = options.follow === true
  const cursor = cursorOf(session, target, options.cursorFile)
  const isResumed = cursor.saved !== undefined
  const workOptions = { isEndless, hasCursor: options.cursorFile !== undefined, isResumed, stop }
  const work = plan ? await handling(session, plan, workOptions) : await printing(session, workOptions)
  const start = await startOf(session, target.client, options, types, cursor.saved)
  // Saved before the first event, so that a restart misses none. Also settles output that a killed run did not flush.
  cursor.save(cursor.saved !== undefined ? cursor.saved : (start.before ?? null))
  const { most, carryOut, isGathered } = work
  let gathered: string | undefined
  const moveTo = (id: string): void => {
    if (isGathered) gathered = id
    else cursor.save(id)
  }
  const inFlight = createInFlight({ most, work: carryOut, moveTo, halt: () => halt.abort() })
  // Printing existing events ends soon, and a signal interrupts it like other commands.
  const asked = plan === undefined && !isEndless ? undefined : session.io.stopSignal()
  asked?.addEventListener('abort', () => {
    noticeStop(session, inFlight)
    halt.abort()
  })
  try {
    await handleAll(
      inFlight,
      feed({ session, client: target.client, types, start, isEndless, stop, inFlight }),
      halt,
    )
    await work.end()
    if (gathered !== undefined) cursor.save(gathered)
  } finally {
    cursor.close()
  }
  return endingOf(work, isEndless, asked?.aborted === true)
}

/** Finishes the events in progress, even if reading the log fails. */
async function handleAll(inFlight: InFlight, feeding: Promise<void>, halt: AbortController): Promise<void> {
  await feeding.catch(() => halt.abort())
  await inFlight.drain()
  await feeding
}

/** Printed without a terminal too, so that a log says why stopping takes time. */
function noticeStop({ notice }: Session, { count }: InFlight): void {
  if (count === 0) return
  const what = count === 1 ? 'the current event' : `the ${count} current events`
  notice(`Stopping after ${what}; a second signal stops immediately.`)
}

function endingOf({ skipped }: TailWork, isEndless: boolean, isStopped: boolean): Outcome {
  // A signal is the normal end of --follow.
  if (isEndless) return 'ok'
  if (isStopped) throw new CliError('interrupted', 'Stopped before the end of the log.')
  return skipped > 0 ? 'some_failed' : 'ok'
}

type CursorKeeper = CursorWriter & { saved: string | null | undefined }

function cursorOf({ io }: Session, target: Target, file: string | undefined): CursorKeeper {
  if (file === undefined) return { saved: undefined, save: () => {}, close: () => {} }
  const path = resolve(io.cwd, file)
  const { identity } = target
  const output = outputFile()
  return { saved: readCursor(path, identity, output), ...openCursor(path, identity, output) }
}

/** A saved cursor overrides every flag, because it is where the work stopped. */
async function startOf(
  session: Session,
  client: Client,
  options: Options,
  types: TypeFilter,
  saved: string | null | undefined,
): Promise<TailStart> {
  if (saved !== undefined) return startAfter(saved ?? undefined)
  if (options.fromStart) return startAfter(undefined)
  if (options.since !== undefined) {
    const now = await timeOfAges(session, [options.since])
    return startAfter(await startSince(client, options.since, now))
  }
  const count = options.limit === undefined ? 10 : wholeNumber(options.limit, '--limit', 0)
  return lastEvents(client, count, types)
}

function startAfter(after: string | undefined): TailStart {
  return { events: [], before: after, after }
}
