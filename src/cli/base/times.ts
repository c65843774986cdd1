import { usage } from './cli-error.ts'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 7 * 86_400 }

/** `2026-05-01 11:00:05`, in the time zone of the operator; a text that is no time stays as it is. */
export function localTime(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return text
  const two = (value: number): string => String(value).padStart(2, '0')
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
}

/** Seconds of a span such as 90s, 15m, 24h, 7d or 2w; a plain number is seconds. Throws `usage`. */
export function spanSeconds(text: string, flag: string): number {
  const [, amount, unit] = /^(\d+)([smhdw]?)$/.exec(text.trim()) ?? []
  if (amount === undefined) {
    throw usage(`${flag}: "${text}" is not a span of time.`, 'Give it as 90s, 15m, 24h or 7d.')
  }
  return Number(amount) * (units[unit || 's'] ?? 1)
}

/**
 * A point in time as the wire wants it, from what operators type: an ISO 8601 time, a date (its midnight here), or a
 * span ago (24h, 7d). Throws `usage`.
 */
export function pointInTime(text: string, flag: string, now: number): string {
  const given = text.trim()
  if (/^\d+[smhdw]$/.test(given)) return new Date(now - spanSeconds(given, flag) * 1000).toISOString()
  const isDate = /^\d{4}-\d\d-\d\d$/.test(given)
  // A date alone would be read as UTC.
  const time = /^\d{4}-\d\d-\d\d/.test(given)
    ? new Date(isDate ? `${given}T00:00` : given)
    : new Date(Number.NaN)
  if (Number.isNaN(time.getTime())) {
    throw usage(
      `${flag}: "${text}" is not a time.`,
      'Give 2026-05-01, 2026-05-01T09:00:00Z, or a span ago such as 24h or 7d.',
    )
  }
  return time.toISOString()
}
