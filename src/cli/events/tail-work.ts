import type { WebhookEvent } from '../../contract/resources/event.ts'
import { counted } from '../base/counted.ts'
import type { Outlet } from '../base/io.ts'
import { maxWaitMs } from '../base/times.ts'
import type { Session } from '../command.ts'
import { csvForm } from '../connection/csv-form.ts'
import { plainCsv } from '../output/format.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import { endOfOutput, outputFile } from './cursor-file.ts'
import type { LoggedEvent } from './event-pages.ts'
import { eventList, eventNaming } from './event-view.ts'
import type { HandlerPlan } from './handler-options.ts'
import { systemWaiting, withFailurePolicy } from './on-failure.ts'

export type TailWork = {
  most: number
  carryOut: (logged: LoggedEvent) => Promise<boolean>
  /** The work only counts once `end` has succeeded. */
  isGathered: boolean
  end: () => Promise<void>
  readonly skipped: number
}

type WorkOptions = {
  isEndless: boolean
  hasCursor: boolean
  isResumed: boolean
  stop: AbortSignal
}

/** Prints a readable line per event on a terminal. An endless list cannot be one JSON array, so it becomes NDJSON. */
export async function printing(session: Session, { isEndless, isResumed }: WorkOptions): Promise<TailWork> {
  const { io, options } = session
  const asked = await session.printer()
  const named = asked.isWhole ? undefined : eventNaming((await session.target()).client)
  const work = (print: (event: WebhookEvent) => unknown): TailWork => ({
    isGathered: false,
    most: 1,
    async carryOut({ event }) {
      await print((await named?.([event]))?.[0] ?? event)
      return true
    },
    end: async () => {},
    skipped: 0,
  })
  const listed = (printer: Printer): TailWork => {
    const { push, end } = printer.list()
    return { ...work((event) => push([event])), end }
  }
  if (asked.format === 'table' && options.columns === undefined) {
    const { eventLine } = await import('./event-line.ts')
    return work((event) => io.out.write(eventLine(event, io.out, asked.style)))
  }
  const isArray = asked.format === 'json'
  // Not even jq can parse an array without its end.
  if (isArray && !isEndless) return { ...listed(asked), isGathered: true }
  const half = halfLineOfStdout()
  const bytes = outputFile()?.bytes()
  // A file has its header and byte-order mark once only, at its beginning: if it has a whole line, it has both.
  const isBegun = (bytes ?? 0) > half.length
  const out = isResumed ? afterHalfLine(io.out, half) : io.out
  const format = isArray ? 'ndjson' : asked.format
  const isMarked = bytes === undefined ? !isResumed : !isBegun
  const form = format === 'csv' ? csvForm(session) : plainCsv
  const means = { csv: { ...form, hasMark: form.hasMark && isMarked } }
  const printed = { ...options, json: false, output: format, ...(isBegun && { header: false }) }
  return listed(await createPrinter({ ...io, out }, printed, eventList, means))
}

/** A run that ends must not wait forever: the next scheduled run may be due. */
const finiteWaitMs = 120_000

export async function handling(
  session: Session,
  plan: HandlerPlan,
  { isEndless, hasCursor, stop }: WorkOptions,
): Promise<TailWork> {
  const { notice } = session
  const tell = await lineTeller(session)
  let earlierInOrder: string | undefined
  const deal = withFailurePolicy(await plan.open(session), {
    policy: plan.policy,
    maxWaitMs: maxWaitMs(session.options.maxWait) ?? (isEndless ? Number.POSITIVE_INFINITY : finiteWaitMs),
    stop,
    notice,
    hint: ({ created_at }) =>
      `Fix the cause, then run the command ${hasCursor ? 'again' : `with --since ${earlierInOrder ?? created_at}`}: it starts with this event, which is not lost.`,
    waiting: systemWaiting,
  })
  let skipped = 0
  return {
    isGathered: false,
    most: plan.most,
    async carryOut(logged) {
      const handled = await deal(logged)
      if (handled === 'handled') await tell(logged)
      if (handled === 'skipped') skipped += 1
      if (plan.most === 1) earlierInOrder = logged.event.id
      return handled !== 'left'
    },
    end: async () => {
      if (skipped > 0) notice(counted(skipped, 'event was skipped', 'events were skipped'))
    },
    get skipped() {
      return skipped
    },
  }
}

/** Prints handled events only on a terminal. A log gets only failures. */
async function lineTeller(session: Session): Promise<(logged: LoggedEvent) => Promise<void>> {
  const { io, errStyle } = session
  if (!io.err.isTerminal || io.isQuiet) return async () => {}
  const { eventLine } = await import('./event-line.ts')
  const named = eventNaming((await session.target()).client)
  return async ({ event }) => {
    for (const shown of await named([event])) io.err.write(eventLine(shown, io.err, errStyle))
  }
}

/** Longer than any event's line. */
const lineBytesMax = 1024 * 1024
const newline = 0x0a

/** Completes the half line of a killed run if the first text begins with it; otherwise starts a new line. */
export function afterHalfLine(out: Outlet, half: Buffer): Outlet {
  let rest = half
  return {
    isTerminal: out.isTerminal,
    columns: () => out.columns(),
    write(text, isData) {
      const begun = rest
      rest = Buffer.alloc(0)
      out.write(begun.length === 0 ? text : (restOf(text, begun) ?? `\n${text}`), isData)
    },
  }
}

function halfLineOfStdout(): Buffer {
  const size = outputFile()?.bytes() ?? 0
  const end = endOfOutput(size, Math.min(size, lineBytesMax))
  return end.subarray(end.lastIndexOf(newline) + 1)
}

/** Undefined if the text does not begin with `begun`, or `begun` ends within a character. */
function restOf(text: string, begun: Buffer): string | undefined {
  const bytes = Buffer.from(text)
  if (!bytes.subarray(0, begun.length).equals(begun)) return undefined
  const rest = bytes.subarray(begun.length)
  const isWithinCharacter = ((rest[0] ?? 0) & 0xc0) === 0x80
  return isWithinCharacter ? undefined : rest.toString()
}
