import { clockSecondsMax } from '../contract/limits.ts'
import { type FieldErrors, type Given, invalid } from './rejection.ts'

// Times with four-digit years sort correctly as text. Leaves ten years for the clock to run.
const advancedMax = Date.parse('9989-12-31T23:59:59.999Z')

type ClockRequest = { seconds?: number | undefined; to?: string | undefined }

/** Exactly one of `seconds` and `to` (decisions 11). Throws `invalid` on a move back, over `clockSecondsMax` or past 9989. */
export function planClockAdvance(now: string, request: ClockRequest): number {
  const faults = clockFaults(now, request)
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return advanceBy(now, request)
}

/** Errors that the schema cannot find. A field that the schema rejected is present, with the value `undefined`. */
export function clockFaults(now: string, request: Given<ClockRequest>): FieldErrors {
  if (!('seconds' in request) && !('to' in request)) return { seconds: ['is required when there is no to'] }
  if ('seconds' in request && 'to' in request) return { to: ['cannot be combined with seconds'] }
  if (request.seconds === undefined && request.to === undefined) return {}
  const fault = advanceFault(advanceBy(now, request), Date.parse(now))
  return fault === null ? {} : { ['to' in request ? 'to' : 'seconds']: [fault] }
}

function advanceBy(now: string, { seconds = 0, to }: ClockRequest): number {
  return to === undefined ? seconds * 1000 : Date.parse(to) - Date.parse(now)
}

function advanceFault(ms: number, now: number): string | null {
  if (Number.isNaN(ms)) return 'is not a time'
  if (ms <= 0) return 'must be in the future: the clock only moves forward'
  if (ms > clockSecondsMax * 1000) return 'is more than ten years ahead'
  if (now + ms > advancedMax) return 'is after the year 9989: the clock cannot move that far'
  return null
}
