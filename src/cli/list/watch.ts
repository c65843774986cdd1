import type { Command } from 'commander'
import { usage } from '../base/cli-error.ts'
import type { Session } from '../command.ts'
import { wholeNumber } from '../find/filters.ts'
import { formatOf } from '../output/format.ts'

export type WatchOptions = { watch?: string }

export function watchable(command: Command): Command {
  return command.option('--watch <seconds>', 'Refresh this often until Ctrl-C')
}

/** Throws `usage` if --watch has no terminal. */
export async function watched(
  session: Session,
  { watch }: WatchOptions,
  show: (session: Session) => Promise<void>,
): Promise<void> {
  if (watch === undefined) return show(session)
  const seconds = wholeNumber(watch, '--watch', 1)
  const { io, options } = session
  if (!io.out.isTerminal) throw usage('--watch needs a terminal to draw on.', 'Leave it out here.')
  if (io.env.TERM === 'dumb')
    throw usage('--watch needs a terminal that can move the cursor; TERM is dumb.', 'Leave it out here.')
  if (formatOf(options, true) !== 'table') throw usage('--watch draws tables; leave out --output and --json.')
  const { watchScreen } = await import('./watch-screen.ts')
  await watchScreen(session, seconds, show)
}
