import { type Json, json } from '../../contract/call.ts'
import type { ManifestLine, ManifestWithLines, Reconciliation } from '../../contract/resources/manifest.ts'
import { hasRoom, planClose } from '../../domain/manifests/manifest.ts'
import { lastDueArrivalEnd } from '../../domain/manifests/manifest-due.ts'
import { type StoredLine, updateLine } from '../../store/tables/manifest-lines.ts'
import { listDueManifests, type ManifestRecord, saveManifest } from '../../store/tables/manifests.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { dropPhrases } from './line-phrases.ts'
import { loadLineDocs, loadLines } from './manifest-pages.ts'
import { loadManifest, withLines } from './manifests.ts'

const dueAtOnce = 100

/**
 * POST /manifests/{manifest_id}/close (4.1): no more items are expected. The answer already says reconciled, and the
 * event is in the same transaction (decisions 6). Throws a conflict where it is reconciled already.
 */
export async function closeManifest(
  work: UnitOfWork,
  { params }: { params: { manifest_id: string } },
): Promise<Json<ManifestWithLines>> {
  const record = await loadManifest(work, params.manifest_id)
  const closed = await reconcile(work, record)
  return withLines(json(closed.manifest), await loadLineDocs(work, closed.manifest.id))
}

/**
 * Closes every manifest whose expected arrival and its days of grace have passed at a time, as a call would (3.1). At most
 * `limit` of them; answers how many it closed.
 */
export async function closeDueManifests(
  work: UnitOfWork,
  at: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  let closed = 0
  while (closed < limit) {
    const due = await findDueManifests(work, at, Math.min(dueAtOnce, limit - closed))
    for (const record of due) await reconcile(work, record)
    closed += due.length
    if (due.length === 0) break
  }
  return closed
}

/** Those that close by themselves at a time, the longest overdue first. */
export function findDueManifests(view: ReadContext, at: string, limit: number): Promise<ManifestRecord[]> {
  const lastEnd = lastDueArrivalEnd(at, view.settings.closeGraceDays)
  return listDueManifests(view.tx, view.scope.id, lastEnd, limit)
}

/** Lines that nothing came for become missing, the report is final, the event carries its totals (3.1, 3.2, part 6). */
async function reconcile(work: UnitOfWork, record: ManifestRecord): Promise<ManifestRecord> {
  const { tx, scope, now } = work
  const { id, status } = record.manifest
  const lines = await loadLines(work, id)
  const plan = planClose(status, lines, record.unexpected)
  const missing = new Set(plan.missing)
  for (const stored of lines.filter(hasRoom)) await closeLine(work, stored, missing.has(stored))
  await dropPhrases(work, lines.filter(hasRoom))
  const closed = { ...record, manifest: { ...record.manifest, status: plan.status }, generated_at: now }
  await saveManifest(tx, scope.id, closed, json(closed.manifest))
  work.count('manifests', status, -1)
  work.count('manifests', plan.status, 1)
  work.emit(
    'manifest.reconciliation.completed',
    json<Reconciliation>({ manifest_id: id, generated_at: now, totals: plan.totals }),
  )
  return closed
}

async function closeLine(work: UnitOfWork, stored: StoredLine, isMissing: boolean): Promise<void> {
  const line: ManifestLine = isMissing ? { ...stored.line, status: 'missing' } : stored.line
  await updateLine(work.tx, work.scope.id, { ...stored, line }, false, json(line))
  await yieldToEventLoop()
}
