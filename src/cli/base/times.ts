import { own } from '../../contract/own.ts'
import { isCalendarDate } from '../../domain/utc-time.ts'
import { usage } from './cli-error.ts'
import type { Io } from './io.ts'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 7 * 86_400 }

/** Webhook signatures are valid for five minutes; a clock that is off by one minute may drift that far. */
export const skewMaxMs = 60_000

/** As `2026-05-01 11:00:05`, in the operator's time zone. Returns a date, which has none, and a text that is not a time unchanged. */
export function localTime(text: string): string {
  const time = new Date(text)
  if (isCalendarDate(text) || Number.isNaN(time.getTime())) return text
  const two = (value: number): string => String(value).padStart(2, '0')
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
}

export function noticedTime(io: Io, text: string): string {
  return io.err.isTerminal ? localTime(text) : text
}

/** A hundred years: anything longer is a typing error and would lead to times out of range. */
const durationSecondsMax = 100 * 366 * 86_400

/** From 90s, 15m, 24h, 7d, or 2w; a plain number is seconds. Throws `usage`. */
export function durationSeconds(text: string, flag: string): number {
  const [, amount, unit] = /^(\d+)([smhdw]?)$/.exec(text.trim()) ?? []
  if (amount === undefined) {
    throw usage(`${flag}: "${text}" is not a duration.`, 'Give it as 90s, 15m, 24h, or 7d.')
  }
  const seconds = Number(amount) * (own(units, unit || 's') ?? 1)
  if (seconds > durationSecondsMax) throw usage(`${flag}: "${text}" is longer than a hundred years.`)
  return seconds
}

export function maxWaitMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : durationSeconds(text, '--max-wait') * 1000
}

export function isAge(text: string): boolean {
  return /^\d+[smhdw]$/.test(text.trim())
}

/** A date, perhaps with a time of day and a zone. `isCalendarDate` checks the day of the month. */
const timeShape =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/

/** From an ISO 8601 time, a date (its midnight here), or, with `now`, an age (24h, 7d). Throws `usage` for anything else. */
export function pointInTime(text: string, flag: string, now?: number, expected = 'a time'): string {
  const given = text.trim()
  const takesAge = now !== undefined
  if (takesAge && isAge(given)) return new Date(now - durationSeconds(given, flag) * 1000).toISOString()
  const [, date] = timeShape.exec(given) ?? []
  // A date alone would be read as UTC.
  const time = new Date(date === given ? `${given}T00:00` : given)
  if (date === undefined || !isCalendarDate(date) || Number.isNaN(time.getTime())) {
    const forms = takesAge
      ? '2026-05-01, 2026-05-01T09:00:00Z, or an age, such as 24h or 7d'
      : '2026-05-01 or 2026-05-01T09:00:00Z'
    throw usage(`${flag}: "${text}" is not ${expected}.`, `Give ${forms}.`)
  }
  const utc = time.toISOString()
  // The zone may move the time out of the years that the wire can write.
  if (!/^\d{4}-/.test(utc)) throw usage(`${flag}: "${text}" is outside the years 0 to 9999.`)
  return utc
}
