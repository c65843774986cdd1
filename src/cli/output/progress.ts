import type { Io } from '../base/io.ts'
import type { Spinner } from './spinner.ts'

/** Shows nothing unless on a terminal. */
type Progress = {
  update(done: number, total: number, unit: string): Promise<void>
  end(): void
}

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

/** `first`: where this run began, so that a resumed import does not count earlier work. */
type Stand = { first: number; done: number; total: number; unit: string; seconds: number }

/** `sending 45,000 of 100,000 rows · 52,000/s · 1 s left` */
export function progressText(doing: string, { first, done, total, unit, seconds }: Stand): string {
  const rate = (done - first) / Math.max(seconds, 0.001)
  const left = rate > 0 ? (total - done) / rate : 0
  const isBytes = unit === 'bytes'
  const count = isBytes ? megabytes : whole
  return `${doing} ${count(done)} of ${count(total)} ${isBytes ? 'MB' : unit} · ${count(rate)}${isBytes ? ' MB' : ''}/s · ${durationText(left)} left`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function megabytes(value: number): string {
  return (value / 1e6).toFixed(1)
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return `${Math.ceil(seconds / 60)} min`
}
