import { dayMs } from '../../contract/limits.ts'

/**
 * The last `expected_arrival_end` (a date) whose manifests close by themselves at `now` (an instant, ISO 8601 in UTC):
 * every end up to and including it is due (3.1). Both are compared as UTC days, and the last day of grace counts whole:
 * an end of the 1st with 7 days of grace is due from the 9th, 00:00:00.000Z.
 */
export function lastDueArrivalEnd(now: string, graceDays: number): string {
  return new Date(Date.parse(now) - (graceDays + 1) * dayMs).toISOString().slice(0, 10)
}

/** The day, in UTC, on which a manifest closes by itself; null if it has no end of its arrival window. */
export function closingDay(arrivalEnd: string | null, graceDays: number): string | null {
  if (arrivalEnd === null) return null
  return new Date(Date.parse(arrivalEnd) + dayMs * (graceDays + 1)).toISOString().slice(0, 10)
}

/** Whole days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
