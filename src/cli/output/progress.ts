import type { Io } from '../base/io.ts'
import { progressText } from './progress-text.ts'
import type { Spinner } from './spinner.ts'

/** Shows the progress of a long task on a terminal: rows, rate, time left. Elsewhere it shows nothing. */
type Progress = {
  update(done: number, total: number, unit: string): Promise<void>
  end(): void
}

/** A task that ends before this shows nothing. */
const showAfterMs = 400
const redrawMs = 100

export function createProgress(io: Io, doing: string): Progress {
  if (!io.err.isTerminal || io.isQuiet) return { update: async () => {}, end: () => {} }
  const started = io.now()
  let first: number | undefined
  let drawn = 0
  let spinner: Spinner | undefined
  let isOver = false
  return {
    async update(done, total, unit) {
      const now = io.now()
      first ??= done
      if (now - started < showAfterMs || now - drawn < redrawMs) return
      drawn = now
      const { startSpinner } = await import('./spinner.ts')
      // The task may have ended meanwhile.
      if (isOver) return
      spinner ??= startSpinner()
      spinner.text = progressText(doing, { first, done, total, unit, seconds: (now - started) / 1000 })
      spinner.render()
    },
    end() {
      isOver = true
      spinner?.stop()
      spinner = undefined
    },
  }
}
