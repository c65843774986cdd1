import { runtime } from '../../runtime/runtime.ts'
import type { Io } from '../base/io.ts'
import { giveMemoryBack } from '../base/memory.ts'
import type { Spinner } from '../output/spinner.ts'

/** Progress of work that reads a whole database: a line on a terminal, nothing elsewhere. It also keeps memory flat. */
type LongWork = {
  /** Sets the text that says what is being done. */
  begin(doing: string): void
  /** Counts rows that were read. */
  onRows(rows: number): Promise<void>
  /** Removes the line, until `begin` is called again. */
  clear(): void
}

/** Work that ends before this shows nothing. */
const showAfterMs = 400
const redrawMs = 100
/** A collection takes a hundredth of a second, whether there is much to collect or not. */
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
