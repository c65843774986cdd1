import { dayMs } from '../../contract/limits.ts'

/** In UTC days (3.1). The last day of grace counts whole: an end of the 1st with 7 days is due from the 9th, 00:00:00.000Z. */
export function lastDueArrivalEnd(now: string, graceDays: number): string {
  return new Date(Date.parse(now) - (graceDays + 1) * dayMs).toISOString().slice(0, 10)
}

/** Null if the arrival window has no end. */
export function closingDay(arrivalEnd: string | null, graceDays: number): string | null {
  if (arrivalEnd === null) return null
  return new Date(Date.parse(arrivalEnd) + dayMs * (graceDays + 1)).toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}
