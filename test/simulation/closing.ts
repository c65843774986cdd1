import type { Block } from './blocks.ts'
import type { Model } from './model.ts'
import type { Done, History } from './run.ts'

const dayMs = 86_400_000
/** Days behind `expected_arrival_end`, the last of which counts whole (decisions 6). */
const graceDays = 7

/** What closes by itself does so when it is due, not before, and is closed not long after. */
export function closedInTime(
  { final }: History,
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
  for (const { from, trace, events } of blocks) {
    if (trace !== null && byTrace.get(trace)?.act.id !== 'advanceClock') continue
    for (const { data, created_at } of events) {
      const id = 'manifest_id' in data ? data.manifest_id : null
      if (Date.parse(created_at) < (dueAt.get(id ?? '') ?? 0))
        model.faults.push(`${from}: ${id} closed by itself at ${created_at}, which was too early`)
    }
  }
  // A service is not sure of its clock for a while after it was set.
  const surelyDue = Date.parse(final.now) - dayMs
  for (const { id, status } of final.manifests)
    if (dueAt.get(id)! < surelyDue && status !== 'reconciled')
      model.faults.push(`in the end ${id} is ${status}, although it was due`)
}
