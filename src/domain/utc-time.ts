const first = Date.parse('0000-01-01T00:00:00.000Z')
const last = Date.parse('9999-12-31T23:59:59.999Z')

/** Limited to four-digit years (decisions 2). */
export function timeAt(ms: number): string {
  return new Date(Math.min(Math.max(ms, first), last)).toISOString()
}

/** UTC, milliseconds, `Z` (decisions 2), so that text order is time order. Fractions round up, so that a bound includes the same times. */
export function utcTime(text: string): string {
  const ms = Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0)
  return timeAt(ms)
}

/** 2028-02-29 exists, 2027-02-29 does not (part 2). */
export function isCalendarDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00Z`)
  // 30 February is read as 2 March; a year of more than four digits makes a longer text.
  return text.length === 10 && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${text}T`)
}
