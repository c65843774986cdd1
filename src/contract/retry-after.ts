/** Of an answer's headers, those that say when to ask again. */
export type RetryHeaders = { 'retry-after'?: string | undefined; date?: string | undefined }

/**
 * Milliseconds that an answer's `Retry-After` asks for, seconds or an HTTP date; undefined where it says nothing of use. A date
 * is told by the clock of whoever sent it: it counts from the answer's own `Date`, else from `now` (milliseconds since 1970).
 */
export function retryAfterMs(headers: Readonly<RetryHeaders>, now: number): number | undefined {
  const told = headers['retry-after']?.trim() ?? ''
  const sentAt = Date.parse(headers.date ?? '')
  const from = Number.isNaN(sentAt) ? now : sentAt
  const ms = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - from
  return ms > 0 ? ms : undefined
}
