import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { sleep } from '../../runtime/runtime.ts'
import type { Outlet } from '../base/io.ts'
import { ownSequence } from '../base/terminal-text.ts'
import { localTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import { shorten } from '../output/shorten.ts'
import { openSession } from '../session.ts'

type Wait = (ms: number, stop: AbortSignal) => Promise<unknown>

/** Alternate screen, no cursor, no line wrap; leaving restores the terminal's content. */
const enter = `${ownSequence}?1049h${ownSequence}?25l${ownSequence}?7l`
const leave = `${ownSequence}?7h${ownSequence}?25h${ownSequence}?1049l`
const rowsDefault = 24

/** Redraws every `seconds` until SIGINT or SIGTERM. Restores the terminal even if `show` throws. */
export async function watchScreen(
  session: Session,
  seconds: number,
  show: (session: Session) => Promise<void>,
  wait: Wait = (ms, signal) => sleep(ms, signal),
): Promise<void> {
  const { io } = session
  // Connects first, so that messages about the target are not drawn over.
  await session.target()
  const stop = io.stopSignal()
  const isOver = once(stop, 'abort').then(() => undefined)
  const restore = openScreen(io.out)
  try {
    while (!stop.aborted) {
      const text = await Promise.race([frame(session, seconds, show), isOver])
      if (text === undefined) return
      io.out.write(drawn(text, io.out.rows?.() ?? rowsDefault, io.out.columns()))
      await wait(seconds * 1000, stop).catch(() => {})
    }
  } finally {
    restore()
  }
}

/** The returned function restores the terminal once; it also runs if the process exits at once (a second Ctrl-C). */
function openScreen(out: Outlet): () => void {
  const restore = (): void => {
    process.off('exit', restore)
    out.write(leave)
  }
  process.on('exit', restore)
  out.write(enter)
  return restore
}

async function frame(
  session: Session,
  seconds: number,
  show: (session: Session) => Promise<void>,
): Promise<string> {
  const { io, commandName, options, errStyle } = session
  let text = ''
  const keep = (part: string): void => {
    text += part
  }
  const outlet: Outlet = { ...io.out, write: keep }
  const own = await openSession({
    ...session,
    io: { ...io, out: outlet, err: outlet },
    options: { ...options, pager: false },
  })
  await show({ ...own, target: () => session.target() })
  const time = localTime(new Date(io.now()).toISOString())
  return `${errStyle.dim(`${commandName}, every ${seconds} s: ${time}; Ctrl-C ends`)}\n\n${text}`
}

/** Clears before writing: after a line as wide as the screen the cursor is on its last character, which would be cleared. */
function drawn(text: string, rows: number, columns: number): string {
  const lines = text.trimEnd().split('\n')
  const over = lines.length - rows
  const shown = over > 0 ? [...lines.slice(0, rows - 1), `… ${over + 1} more lines`] : lines
  return `${ownSequence}H${shown
    .map((line, index) => `${ownSequence}${index < shown.length - 1 ? 'K' : 'J'}${fitted(line, columns)}`)
    .join('\n')}`
}

function fitted(line: string, columns: number): string {
  return stringWidth(line) <= columns ? line : shorten(stripVTControlCharacters(line), columns)
}
