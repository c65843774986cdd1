import { clockSecondsMax } from '../contract/limits.ts'
import { type FieldErrors, invalid } from './refusal.ts'

// Timestamps have four-digit years, so that as text they sort like the times they mean.
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The milliseconds by which a scope's clock moves: `seconds`, or the way from `now` to the instant `to`, exactly one of
 * them (decisions 11). Forward only, by at most `clockSecondsMax`, and not past the year 9999. Throws invalid.
 */
export function planClockAdvance(
  now: string,
  request: { seconds?: number | undefined; to?: string | undefined },
): number {
  const { seconds, to } = request
  if (seconds === undefined && to === undefined)
    throw invalid({ seconds: ['is required when there is no to'] })
  if (seconds !== undefined && to !== undefined) throw invalid({ to: ['cannot stand beside seconds'] })
  const field = to === undefined ? 'seconds' : 'to'
  const ms = to === undefined ? (seconds ?? 0) * 1000 : Date.parse(to) - Date.parse(now)
  const fault = advanceFault(ms, Date.parse(now))
  if (fault !== null) throw invalid({ [field]: [fault] } satisfies FieldErrors)
  return ms
}

function advanceFault(ms: number, now: number): string | null {
  if (Number.isNaN(ms)) return 'is not a time'
  if (ms <= 0) return 'must lie ahead: the clock only goes forward'
  if (ms > clockSecondsMax * 1000) return 'lies more than ten years ahead'
  if (now + ms > lastInstant) return 'lies after the year 9999'
  return null
}
