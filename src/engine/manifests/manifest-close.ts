import { json } from '../../contract/call.ts'
import type { ManifestLine, Reconciliation } from '../../contract/resources/manifest.ts'
import { assert } from '../../domain/invariant.ts'
import { hasRoom, isOpen, type LineProgress, lineStatus, planClose } from '../../domain/manifests/manifest.ts'
import { lastDueArrivalEnd } from '../../domain/manifests/manifest-due.ts'
import { existing } from '../../domain/rejection.ts'
import {
  listLineDocs,
  listLines,
  type StoredLine,
  sumLines,
  updateLine,
} from '../../store/tables/manifest-lines.ts'
import {
  findManifest,
  listDueManifests,
  type ManifestRecord,
  saveManifest,
} from '../../store/tables/manifests.ts'
import {
  deletePendingManifest,
  findPendingManifest,
  type PendingManifest,
  savePendingManifest,
} from '../../store/tables/pending-manifests.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'
import { atLast, type SteppedWrite } from '../stepped-write.ts'
import { joinInTurns, yieldToEventLoop } from '../yield-to-event-loop.ts'
import { dropPhrases } from './line-phrases.ts'
import { linesAtOnce } from './manifest-submission.ts'

/**
 * POST /manifests/{manifest_id}/close (4.1). The first step answers `reconciled` and emits the event (decisions 6); the others
 * update the lines. Throws a conflict if the manifest is already reconciled.
 */
export function openClose(manifestId: string): SteppedWrite {
  let open: OpenManifest | undefined
  return {
    end: atLast,
    async asks(view) {
      open = await findOpen(view, manifestId)
    },
    async take(work, place, part) {
      const { tx, scope } = work
      if (place === 0) {
        const { manifest } = await reconcile(work, existing(open))
        part.created.push(json(manifest))
      } else {
        const pending = await findPendingManifest(tx, scope.id, manifestId)
        if (pending) await settleLines(work, pending)
      }
      const docs = await listLineDocs(tx, scope.id, manifestId, place, linesAtOnce)
      part.created.push(...docs)
      return docs.length < linesAtOnce ? atLast : place + docs.length
    },
    async answer(parts) {
      const [manifest = '', ...lines] = parts.flatMap(({ created }) => created)
      return [`${manifest.slice(0, -1)},"lines":[`, ...(await joinInTurns(lines)), ']}']
    },
  }
}

/** Closes the manifest longest overdue at `at`, as a call would (3.1). Returns whether there was one. */
export async function closeOneDue(work: UnitOfWork, at: string): Promise<boolean> {
  const due = await findDueManifest(work, at)
  const open = due && (await findOpen(work, due.manifest.id))
  if (open) await reconcile(work, open)
  return due !== undefined
}

export async function findDueManifest(view: ReadContext, at: string): Promise<ManifestRecord | undefined> {
  const lastEnd = lastDueArrivalEnd(at, view.settings.closeGraceDays)
  const [first] = await listDueManifests(view.tx, view.scope.id, lastEnd, 1)
  return first
}

/**
 * The report becomes final, and the event has its totals (3.1, 3.2, part 6). Settles the first lines; until the rest is settled
 * too, nothing can match it, and it is shown in its final state.
 */
async function reconcile(work: UnitOfWork, { record, sums, lines }: OpenManifest): Promise<ManifestRecord> {
  const { tx, scope, now } = work
  const { id, status } = record.manifest
  const plan = planClose(status, sums, record.unexpected)
  assert(isOpen(status), 'only an open manifest closes', id, status)
  assert(record.generated_at === null, 'a manifest closes once', id, record.generated_at)
  const { expected, matched, missing, condition_mismatch: flagged } = plan.totals
  assert(
    expected === matched + missing + flagged,
    'a report accounts for every expected unit',
    id,
    plan.totals,
  )
  const closed = { ...record, manifest: { ...record.manifest, status: plan.status }, generated_at: now }
  await saveManifest(tx, scope.id, closed, json(closed.manifest))
  work.count('manifests', status, -1)
  work.count('manifests', plan.status, 1)
  work.emit(
    'manifest.reconciliation.completed',
    json<Reconciliation>({ manifest_id: id, generated_at: now, totals: plan.totals }),
  )
  await settleThese(work, { id, since: now, line_no: 0 }, lines)
  return closed
}

type OpenManifest = { record: ManifestRecord; sums: LineProgress; lines: StoredLine[] }

async function findOpen({ tx, scope }: ReadContext, id: string): Promise<OpenManifest | undefined> {
  const [record, sums, lines] = await Promise.all([
    findManifest(tx, scope.id, id),
    sumLines(tx, scope.id, id),
    listLines(tx, scope.id, id, 0, linesAtOnce),
  ])
  return record && { record, sums, lines }
}

/** Marks the next lines without arrivals as missing, and closes them. */
export async function settleLines(work: UnitOfWork, pending: PendingManifest): Promise<void> {
  const { tx, scope } = work
  await settleThese(work, pending, await listLines(tx, scope.id, pending.id, pending.line_no, linesAtOnce))
}

async function settleThese(
  work: UnitOfWork,
  pending: PendingManifest,
  lines: readonly StoredLine[],
): Promise<void> {
  const { tx, scope } = work
  const { id, since } = pending
  const last = lines.at(-1)?.line_no ?? pending.line_no
  assert(
    last === pending.line_no + lines.length,
    'lines are settled without a gap',
    id,
    pending.line_no,
    last,
  )
  const open = lines.filter(hasRoom)
  for (const stored of open) await closeLine(work, stored)
  await dropPhrases(work, open)
  const line_no = pending.line_no + lines.length
  if (lines.length === linesAtOnce) await savePendingManifest(tx, scope.id, { id, since, line_no })
  else if (pending.line_no > 0) await deletePendingManifest(tx, scope.id, id)
}

async function closeLine(work: UnitOfWork, stored: StoredLine): Promise<void> {
  const line: ManifestLine = { ...stored.line, status: lineStatus(stored, 'reconciled') }
  assert(line.status !== 'expected', 'no line of a closed manifest is expected', line.id)
  await updateLine(work.tx, work.scope.id, { ...stored, line }, false, json(line))
  await yieldToEventLoop()
}
