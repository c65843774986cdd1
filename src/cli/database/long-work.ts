import { runtime } from '../../runtime/runtime.ts'
import { digits } from '../base/counted.ts'
import type { Io } from '../base/io.ts'
import { giveMemoryBack } from '../base/memory.ts'
import { progressLine, showAfterMs } from '../output/progress.ts'

/** A progress line on a terminal, nothing elsewhere. Also keeps memory flat. */
type LongWork = {
  begin(doing: string): void
  onRows(rows: number): Promise<void>
  /** Removes the line until `begin` is called again. */
  clear(): void
}

/** A collection takes 10 ms, however little there is to collect. */
const collectMs = 250

export async function longWork<T>(
  io: Io,
  doing: string | undefined,
  task: (work: LongWork) => Promise<T>,
): Promise<T> {
  const work = startLongWork(io)
  if (doing !== undefined) work.begin(doing)
  return task(work).finally(work.clear)
}

export function readingLog<T>(io: Io, read: (onRows: LongWork['onRows']) => Promise<T>): Promise<T> {
  return longWork(io, 'reading the event log', ({ onRows }) => read(onRows))
}

function startLongWork(io: Io): LongWork {
  const line = progressLine(io)
  let [doing, rows, collected] = ['', 0, io.now()]
  let first: (() => void) | undefined
  const draw = async (): Promise<void> => {
    const counted = rows === 0 ? '' : `: ${digits(rows)} rows`
    const isDrawn = await line.draw(() => (doing === '' ? undefined : doing + counted))
    // A database that answers in this thread would leave no time to notice Ctrl-C.
    if (isDrawn) await runtime.turn()
  }
  return {
    begin(text) {
      doing = text
      if (io.err.isTerminal) first ??= runtime.after(showAfterMs, () => void draw())
    },
    async onRows(more) {
      rows += more
      if (io.now() - collected >= collectMs) {
        await giveMemoryBack()
        collected = io.now()
      }
      await draw()
    },
    clear() {
      doing = ''
      first?.()
      line.clear()
    },
  }
}
