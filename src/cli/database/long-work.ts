import { runtime } from '../../runtime/runtime.ts'
import type { Io } from '../base/io.ts'
import { giveMemoryBack } from '../base/memory.ts'
import type { Spinner } from '../output/spinner.ts'

/** A progress line on a terminal, nothing elsewhere. Also keeps memory flat. */
type LongWork = {
  begin(doing: string): void
  onRows(rows: number): Promise<void>
  /** Removes the line until `begin` is called again. */
  clear(): void
}

const showAfterMs = 400
const redrawMs = 100
/** A collection takes 10 ms, however little there is to collect. */
const collectMs = 250

export function startLongWork(io: Io): LongWork {
  const started = io.now()
  let [doing, rows, collected, drawn] = ['', 0, started, started + showAfterMs - redrawMs]
  let spinner: Spinner | undefined
  let first: (() => void) | undefined
  const draw = async (): Promise<void> => {
    const now = io.now()
    if (!io.err.isTerminal || io.isQuiet || now - drawn < redrawMs) return
    drawn = now
    const { startSpinner } = await import('../output/spinner.ts')
    if (doing === '') return
    spinner ??= startSpinner()
    spinner.text = rows === 0 ? doing : `${doing}: ${rows.toLocaleString('en')} rows`
    spinner.render()
    // A database that answers in this thread would leave no time to notice Ctrl-C.
    await runtime.turn()
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
      spinner?.stop()
      spinner = undefined
    },
  }
}
