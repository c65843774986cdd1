/** Time is trusted after it has run evenly this long; a jump of up to this long raises no doubt. */
const certainAfterMs = 3_600_000
/** An older doubt does not count: a clock that is ahead would confirm it at once. Only a service sees an hour pass itself. */
const doubtStandsMs = { lasting: certainAfterMs, brief: 8 * 24 * certainAfterMs }

/** A service is `lasting`, a command `brief`. */
export type Lifetime = keyof typeof doubtStandsMs

/** Shared by the processes over one database: when time was last certain, and since when it has been in doubt (ISO 8601). */
export type TimeRecord = { sure_at: string; doubted_at: string | null }

/** This process's view: how long time has run evenly, and how often it jumped before. */
export type SeenTime = { now: number; steadyMs: number; jumps: number }

/**
 * Time is certain if this process has seen an hour pass; if it is near a time that was certain before, as after a restart; or if a
 * doubt has lasted an hour, was recent enough when this process began, and the clock did not go back behind it.
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
