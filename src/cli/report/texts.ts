/** `2026-05-01 11:00`: a page that is mailed is read in other time zones than it was made in. */
export function utcText(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

/** `12,000` */
export function countText(count: number): string {
  return count.toLocaleString('en-US')
}
