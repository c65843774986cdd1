/** How long time must have gone on evenly to be trusted, and how far it may jump without being doubted. */
const certainAfterMs = 3_600_000
/** A doubt that is older counts for nothing: a clock that is weeks ahead would confirm it. Once a week is how seldom commands may run. */
const doubtStandsMs = 8 * 24 * certainAfterMs

/**
 * What the processes over one database know together of the machine's time (ISO 8601): when it was last sure, and since when
 * it has been in doubt.
 */
export type TimeRecord = { sure_at: string; doubted_at: string | null }

/** What this process has seen: how long time has gone on evenly, and how often it jumped before. */
export type SeenTime = { now: number; steadyMs: number; jumps: number }

/**
 * Whether the machine's time may be trusted with what cannot be undone, and what to record. It may if this process has itself
 * seen an hour pass; if it is near a time that was certain before, as after a restart; or if a doubt has stood for an hour, and
 * at most eight days, without the clock going back behind it.
 */
export function judgeTime(record: TimeRecord, seen: SeenTime): { isSure: boolean; record: TimeRecord } {
  const { now, steadyMs, jumps } = seen
  const hasJumped = jumps > 0
  const at = new Date(now).toISOString()
  const isNear = Math.abs(now - Date.parse(record.sure_at)) <= certainAfterMs
  const doubtMs = record.doubted_at === null ? -1 : now - Date.parse(record.doubted_at)
  const stands = doubtMs >= 0 && doubtMs <= doubtStandsMs
  const isConfirmed = stands && doubtMs >= certainAfterMs
  if (steadyMs >= certainAfterMs || (!hasJumped && (isNear || isConfirmed)))
    return { isSure: true, record: { sure_at: at, doubted_at: null } }
  const isOfNow = stands && (!hasJumped || doubtMs <= steadyMs)
  return { isSure: false, record: { ...record, doubted_at: isOfNow ? record.doubted_at : at } }
}
