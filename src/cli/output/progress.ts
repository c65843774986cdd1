import { digits } from '../base/counted.ts'
import type { Io } from '../base/io.ts'
import type { Spinner } from './spinner.ts'

export const showAfterMs = 400
const redrawMs = 100

/** Shows a line on a terminal if the work takes longer than a moment. Shows nothing elsewhere. */
export function progressLine(io: Io) {
  let drawn = io.now() + showAfterMs - redrawMs
  let spinner: Spinner | undefined
  return {
    /** Returns whether the line was drawn. `textOf` returns undefined if the work has ended meanwhile. */
    async draw(textOf: () => string | undefined): Promise<boolean> {
      const now = io.now()
      if (!io.err.isTerminal || io.isQuiet || now - drawn < redrawMs) return false
      drawn = now
      const { startSpinner } = await import('./spinner.ts')
      const text = textOf()
      if (text === undefined) return false
      spinner ??= startSpinner()
      io.err.makeRoom = spinner.clear.bind(spinner)
      spinner.text = text
      spinner.render()
      return true
    },
    clear() {
      spinner?.stop()
      spinner = undefined
      io.err.makeRoom = undefined
    },
  }
}

type Progress = {
  update(done: number, total: number, unit: string): Promise<unknown>
  end(): void
}

export function createProgress(io: Io, doing: string): Progress {
  const line = progressLine(io)
  const started = io.now()
  let first: number | undefined
  let isOver = false
  return {
    update(done, total, unit) {
      first ??= done
      const stand = { first, done, total, unit, seconds: (io.now() - started) / 1000 }
      return line.draw(() => (isOver ? undefined : progressText(doing, stand)))
    },
    end() {
      isOver = true
      line.clear()
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
  return digits(Math.round(value))
}

function megabytes(value: number): string {
  return (value / 1e6).toFixed(1)
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return `${Math.ceil(seconds / 60)} min`
}
