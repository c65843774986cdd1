import type { Call } from '../../contract/call.ts'
import { pageSizeMax, waitSecondsMax } from '../../contract/limits.ts'
import { utcTime } from '../../domain/utc-time.ts'

/** `before`: UTC with milliseconds. */
export type PreferredLast = { count: number; before: string | undefined }

/** Seconds of `Prefer: wait=N` (RFC 7240), at most `waitSecondsMax`; 0 if absent. */
export function preferredWait(call: Call): number {
  const wait = /(?:^|[,;\s])wait\s{0,9}=\s{0,9}"?(\d{1,20})"?(?:$|[,;\s])/i.exec(preferOf(call))?.[1]
  return wait === undefined ? 0 : Math.min(Number(wait), waitSecondsMax)
}

/**
 * `Prefer: last=N` or `last=N; before="TIME"`, without a cursor; at most a page. The log is only read forward, so a client would
 * otherwise walk all of it to reach its end. Unknown preferences are ignored (RFC 7240).
 */
export function preferredLast(call: Call): PreferredLast | undefined {
  if (call.query.some(([name]) => name === 'starting_after')) return undefined
  const [count, before] = lastOf(preferOf(call)) ?? []
  if (count === undefined || Number(count) === 0) return undefined
  if (before !== undefined && !isTime(before)) return undefined
  return { count: Math.min(Number(count), pageSizeMax), before: before && utcTime(before) }
}

function lastOf(prefer: string): [string, string | undefined] | undefined {
  for (const preference of prefer.split(',')) {
    const [first = '', second, ...more] = preference.split(';')
    const count = /^last\s{0,9}=\s{0,9}"?(\d{1,20})"?$/i.exec(first.trim())?.[1]
    const before = /^before\s{0,9}=\s{0,9}"([^"]*)"$/i.exec(second?.trim() ?? '')?.[1]
    const isUnderstood = more.length === 0 && (second === undefined || before !== undefined)
    if (count !== undefined && isUnderstood) return [count, before]
  }
  return undefined
}

function isTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}

function preferOf({ headers }: Call): string {
  const sent = headers.prefer
  return typeof sent === 'string' ? sent : (sent ?? []).join(',')
}
