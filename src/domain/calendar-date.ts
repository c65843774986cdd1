const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether the text is an ISO 8601 calendar date that exists: 2028-02-29 does, 2027-02-29 does not (part 2). */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8))
  const days = month === 2 && isLeap(year) ? 29 : (daysOfMonth[month - 1] ?? 0)
  return day >= 1 && day <= days
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
