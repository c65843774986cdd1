/** How long time must have gone on evenly to be trusted, and how far it may jump without being doubted. */
const certainAfterMs = 3_600_000

/**
 * What the processes over one database know together of the machine's time (ISO 8601): when it was last sure, and since when
 * it has been in doubt.
 */
export type TimeRecord = { sure_at: string; doubted_at: string | null }

/** What this process has seen: how long time has gone on evenly, and how often it jumped before. */
export type SeenTime = { now: number; steadyMs: number; jumps: number }

/**
 * Whether the machine's time may be trusted with what cannot be undone, and what to record. It may if this process has itself
 * seen an hour pass; if it is near a time that was certain before, as after a restart; or if a doubt has stood for an hour
 * without the clock going back behind it.
 */
export function judgeTime(record: TimeRecord, seen: SeenTime): { isSure: boolean; record: TimeRecord } {
  const { now, steadyMs, jumps } = seen
  const hasJumped = jumps > 0
  const at = new Date(now).toISOString()
  const doubtedAt = record.doubted_at === null ? undefined : Date.parse(record.doubted_at)
  const isNear = Math.abs(now - Date.parse(record.sure_at)) <= certainAfterMs
  const isConfirmed = doubtedAt !== undefined && now - doubtedAt >= certainAfterMs
  if (steadyMs >= certainAfterMs || (!hasJumped && (isNear || isConfirmed)))
    return { isSure: true, record: { sure_at: at, doubted_at: null } }
  const isOfNow = doubtedAt !== undefined && doubtedAt <= now && (!hasJumped || doubtedAt >= now - steadyMs)
  return { isSure: false, record: { ...record, doubted_at: isOfNow ? record.doubted_at : at } }
}
