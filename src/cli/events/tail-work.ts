import { counted } from '../base/counted.ts'
import { maxWaitMs } from '../base/times.ts'
import type { Session } from '../command.ts'
import { systemWaiting } from './backoff.ts'
import { eventPrinter } from './event-printer.ts'
import { eventNaming } from './event-view.ts'
import type { HandlerPlan } from './handler-options.ts'
import type { LoggedEvent } from './logged-event.ts'
import { withFailurePolicy } from './on-failure.ts'

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

export async function printing(session: Session, options: WorkOptions): Promise<TailWork> {
  const printer = await eventPrinter(session, options)
  return {
    isGathered: printer.isGathered,
    most: 1,
    async carryOut({ event }) {
      await printer.print(event)
      return true
    },
    end: () => printer.end(),
    skipped: 0,
  }
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
  const deal = withFailurePolicy(await plan.open(session), {
    policy: plan.policy,
    maxWaitMs: maxWaitMs(session.options.maxWait) ?? (isEndless ? Number.POSITIVE_INFINITY : finiteWaitMs),
    stop,
    notice,
    hint: hasCursor
      ? 'The cursor stays before this event: the next run starts with it.'
      : 'With --cursor-file, the next run would start with this event.',
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
