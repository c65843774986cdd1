import type { Block } from './blocks.ts'
import type { Model } from './model.ts'
import type { Done, History } from './run.ts'

const dayMs = 86_400_000
/** Days after `expected_arrival_end`, of which the last counts in full (ruling 6). */
const graceDays = 7

/**
 * A manifest closes automatically when it is due, not before, and not much later: by the true time and the partner's advances,
 * whatever a machine's clock says, except for the minutes by which it was set permanently. An advance closes what is due by
 * the time that it answers, which the partner saw, even if a wrong clock carried it ahead.
 */
export function closedInTime(
  { final, done, aheadMs }: History,
  blocks: readonly Block[],
  byTrace: ReadonlyMap<string, Done>,
  model: Model,
): void {
  const dueAt = new Map(
    final.manifests.map(({ id, expected_arrival_end: end }) => [
      id,
      end === null ? Number.POSITIVE_INFINITY : Date.parse(end) + (graceDays + 1) * dayMs,
    ]),
  )
  let latest = final.at
  for (const { from, trace, events } of [...blocks].reverse()) {
    const deed = trace === null ? undefined : byTrace.get(trace)
    for (const { answered, status } of deed?.issues ?? [])
      if (status !== undefined && status < 300) latest = Math.min(latest, answered)
    if (trace !== null && deed?.act.id !== 'advanceClock') continue
    const trueNow = latest + advancedBy(done, latest) + aheadMs
    for (const { data, created_at, type } of events) {
      if (!type.startsWith('manifest')) continue
      const id = 'manifest_id' in data ? data.manifest_id : null
      const now = deed ? Date.parse(created_at) : trueNow
      const early = (dueAt.get(id ?? '') ?? 0) - now
      if (early > 0) model.faults.push(`${from}: ${id} closed by itself ${early} ms too early`)
    }
  }
  // A service does not trust its clock for a while after it was set.
  const surelyDue = final.at + final.offset_seconds * 1000 - dayMs
  for (const { id, status } of final.manifests)
    if (dueAt.get(id)! < surelyDue && status !== 'reconciled')
      model.faults.push(`in the end ${id} is ${status}, although it was due`)
}

/** The milliseconds by which a partner can have advanced its clock at a moment. */
function advancedBy(done: readonly Done[], at: number): number {
  let ms = 0
  for (const { act, issues } of done)
    if (act.id === 'advanceClock' && issues[0]!.asked <= at) ms += act.request.body.seconds! * 1000
  return ms
}
