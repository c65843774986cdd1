/** Whether the text is an ISO 8601 calendar date that exists: 2028-02-29 does, 2027-02-29 does not (part 2). */
export function isCalendarDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00Z`)
  // 30 February is read as 2 March; a year of more than four digits makes a longer text.
  return text.length === 10 && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${text}T`)
}
