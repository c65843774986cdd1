import type { Block } from './blocks.ts'
import type { Model } from './model.ts'
import type { Done, History } from './run.ts'

const dayMs = 86_400_000
/** Days behind `expected_arrival_end`, the last of which counts whole (decisions 6). */
const graceDays = 7

/**
 * What closes by itself does so when it is due, not before, and is closed not long after: by the time that it is, and how far the
 * partner has advanced its clock, whatever the clock of a machine says, but for the minutes by which it was set for good. An
 * advance closes what is due by the time that it answers, which the partner saw, though a wrong clock has carried it ahead.
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
  // A service is not sure of its clock for a while after it was set.
  const surelyDue = final.at + final.offset_seconds * 1000 - dayMs
  for (const { id, status } of final.manifests)
    if (dueAt.get(id)! < surelyDue && status !== 'reconciled')
      model.faults.push(`in the end ${id} is ${status}, although it was due`)
}

/** How many milliseconds a partner can have advanced its clock by a moment. */
function advancedBy(done: readonly Done[], at: number): number {
  let ms = 0
  for (const { act, issues } of done)
    if (act.id === 'advanceClock' && issues[0]!.asked <= at) ms += act.request.body.seconds! * 1000
  return ms
}
