/** How long time must have gone on evenly to be trusted, and how far it may jump without being doubted. */
const certainAfterMs = 3_600_000
/**
 * A doubt that was older when this process began counts for nothing: a clock that is ahead would confirm it at once. What goes on
 * can see an hour pass itself; once a week is how seldom commands may run, each of which is over in seconds.
 */
const doubtStandsMs = { lasting: certainAfterMs, brief: 8 * 24 * certainAfterMs }

/** Whether this process goes on, as a service does, or is soon over, as a command is. */
export type Lifetime = keyof typeof doubtStandsMs

/**
 * What the processes over one database know together of the machine's time (ISO 8601): when it was last sure, and since when
 * it has been in doubt.
 */
export type TimeRecord = { sure_at: string; doubted_at: string | null }

/** What this process has seen: how long time has gone on evenly, and how often it jumped before. */
export type SeenTime = { now: number; steadyMs: number; jumps: number }

/**
 * Whether the machine's time may be trusted with what cannot be undone, and what to record. It may if this process has itself
 * seen an hour pass; if it is near a time that was certain before, as after a restart; or if a doubt has stood for an hour, was
 * young enough when this process began, and the clock did not go back behind it.
 */
export function judgeTime(
  record: TimeRecord,
  seen: SeenTime,
  lifetime: Lifetime,
): { isSure: boolean; record: TimeRecord } {
  const { now, steadyMs, jumps } = seen
  const hasJumped = jumps > 0
  const at = new Date(now).toISOString()
  const isNear = Math.abs(now - Date.parse(record.sure_at)) <= certainAfterMs
  const doubtMs = record.doubted_at === null ? -1 : now - Date.parse(record.doubted_at)
  const stands = doubtMs >= 0 && doubtMs - steadyMs <= doubtStandsMs[lifetime]
  const isConfirmed = stands && doubtMs >= certainAfterMs
  if (steadyMs >= certainAfterMs || (!hasJumped && (isNear || isConfirmed)))
    return { isSure: true, record: { sure_at: at, doubted_at: null } }
  const isOfNow = stands && (!hasJumped || doubtMs <= steadyMs)
  return { isSure: false, record: { ...record, doubted_at: isOfNow ? record.doubted_at : at } }
}
