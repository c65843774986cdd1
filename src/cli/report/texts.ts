/** `2026-05-01 11:00`, in UTC, because a mailed page is read in other time zones. */
export function utcText(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

export function countText(count: number): string {
  return count.toLocaleString('en-US')
}
