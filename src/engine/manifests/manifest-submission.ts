import { type Json, json } from '../../contract/call.ts'
import type {
  Manifest,
  ManifestCreate,
  ManifestLine,
  ManifestLineCreate,
  Reconciliation,
} from '../../contract/resources/manifest.ts'
import {
  hasRoom,
  isOpen,
  type LineProgress,
  lastDueArrivalEnd,
  lineStatus,
  planClose,
} from '../../domain/manifests/manifest.ts'
import { assert, existing } from '../../domain/rejection.ts'
import {
  deleteLines,
  insertLines,
  listLineDocs,
  listLines,
  type StoredLine,
  sumLines,
  updateLine,
} from '../../store/tables/manifest-lines.ts'
import { findManifest, findOverdue, type ManifestRecord, saveManifest } from '../../store/tables/manifests.ts'
import {
  deletePendingManifest,
  findPendingManifest,
  type PendingManifest,
  savePendingManifest,
} from '../../store/tables/pending-manifests.ts'
import { atLast, type ReadContext, type StepPart, type SteppedWrite, type UnitOfWork } from '../context.ts'
import { joinInTurns, yieldToEventLoop } from '../yield-to-event-loop.ts'
import { addPhrases, dropPhrases } from './line-phrases.ts'

type ManifestHead = Pick<ManifestCreate, 'reference'> & Partial<Omit<ManifestCreate, 'lines'>>

/** Lines inserted or deleted at once: a few milliseconds. */
export const linesAtOnce = 200

/** Inserts the next lines (2.1, 4.1). `whole` comes with the last ones and creates the manifest, invisible until then. */
export async function addLines(
  work: UnitOfWork,
  part: StepPart,
  sent: readonly ManifestLineCreate[],
  whole: ManifestHead | undefined,
): Promise<{ manifest: Json<Manifest> | undefined; lines: Array<Json<ManifestLine>> }> {
  const begun = part.manifestId && (await findPendingManifest(work.tx, part.manifestId))
  const pending = begun || { id: work.newId(), since: work.now, line_no: 0 }
  part.manifestId = pending.id
  assert(sent.length > 0 || pending.line_no > 0, 'a manifest has lines', pending.id)
  assert(part.manifestId !== undefined, 'a manifest that is being submitted has an id', pending.id)
  const lines = await insertSentLines(work, pending, sent)
  const grown = { ...pending, line_no: pending.line_no + sent.length }
  assert(
    lines.length === sent.length,
    'every submitted line was inserted',
    pending.id,
    lines.length,
    sent.length,
  )
  if (!whole) {
    await savePendingManifest(work.tx, grown)
    return { manifest: undefined, lines }
  }
  if (begun) await deletePendingManifest(work.tx, pending.id)
  return { manifest: await insertManifest(work, grown, whole), lines }
}

export async function removeLines(work: UnitOfWork, pending: PendingManifest): Promise<void> {
  const { tx } = work
  const { id, since } = pending
  const line_no = Math.max(0, pending.line_no - linesAtOnce)
  const lines = await listLines(tx, id, line_no, linesAtOnce)
  assert(lines.length <= linesAtOnce && line_no >= 0, 'lines are taken from the end', id, line_no)
  await deleteLines(tx, id, line_no)
  await dropPhrases(work, lines)
  if (line_no > 0) await savePendingManifest(tx, { id, since, line_no })
  else await deletePendingManifest(tx, id)
}

async function insertManifest(
  work: UnitOfWork,
  { id, since, line_no }: PendingManifest,
  sent: ManifestHead,
): Promise<Json<Manifest>> {
  assert(line_no > 0, 'a manifest has lines', id)
  const manifest: Manifest = {
    id,
    reference: sent.reference,
    source: sent.source,
    status: 'submitted',
    expected_arrival_start: sent.expected_arrival_start ?? null,
    expected_arrival_end: sent.expected_arrival_end ?? null,
    line_count: line_no,
    created_at: since,
  }
  const doc = json(manifest)
  await saveManifest(work.tx, { manifest, unexpected: 0, generated_at: null }, doc)
  work.count('manifests', 'submitted', 1)
  return doc
}

async function insertSentLines(
  work: UnitOfWork,
  { id: manifest_id, line_no: last }: PendingManifest,
  sent: readonly ManifestLineCreate[],
): Promise<Array<Json<ManifestLine>>> {
  const entries = sent.map((each, at) => {
    const line = newLine(work, each)
    return { stored: newRecord(manifest_id, last + at + 1, line), doc: json(line) }
  })
  await addPhrases(
    work,
    entries.map(({ stored }) => stored),
  )
  await insertLines(work.tx, entries)
  await yieldToEventLoop()
  return entries.map(({ doc }) => doc)
}

function newLine(work: UnitOfWork, sent: ManifestLineCreate): ManifestLine {
  return {
    id: work.newId(),
    external_ref: sent.external_ref ?? null,
    description: sent.description,
    grader: sent.grader ?? null,
    cert_number: sent.cert_number ?? null,
    quantity: sent.quantity,
    status: 'expected',
    matched_qids: [],
    sku: sent.sku ?? null,
  }
}

function newRecord(manifest_id: string, line_no: number, line: ManifestLine): StoredLine {
  return {
    manifest_id,
    line_no,
    line,
    quantity: line.quantity,
    clean: 0,
    flagged: 0,
    condition_flags: [],
    match_key: null,
    match_score: null,
  }
}

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
      const { tx } = work
      if (place === 0) {
        const { manifest } = await reconcile(work, existing(open))
        part.created.push(json(manifest))
      } else {
        const pending = await findPendingManifest(tx, manifestId)
        if (pending) await settleLines(work, pending)
      }
      const docs = await listLineDocs(tx, manifestId, place, linesAtOnce)
      part.created.push(...docs)
      return docs.length < linesAtOnce ? atLast : place + docs.length
    },
    async answer(parts) {
      const [manifest = '', ...lines] = parts.flatMap(({ created }) => created)
      return [`${manifest.slice(0, -1)},"lines":[`, ...(await joinInTurns(lines)), ']}']
    },
  }
}

/** Closes a manifest as a call would (3.1), if it is still open. */
export async function closeDue(work: UnitOfWork, manifestId: string): Promise<void> {
  const open = await findOpen(work, manifestId)
  if (open) await reconcile(work, open)
}

export async function findDueManifest(view: ReadContext, at: string): Promise<ManifestRecord | undefined> {
  return findOverdue(view.tx, lastDueArrivalEnd(at, view.settings.closeGraceDays))
}

/**
 * The report becomes final, and the event has its totals (3.1, 3.2, part 6). Settles the first lines; until the rest is settled
 * too, nothing can match it, and it is shown in its final state.
 */
async function reconcile(work: UnitOfWork, { record, sums, lines }: OpenManifest): Promise<ManifestRecord> {
  const { tx, now } = work
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
  await saveManifest(tx, closed, json(closed.manifest))
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

async function findOpen({ tx }: ReadContext, id: string): Promise<OpenManifest | undefined> {
  const [record, sums, lines] = await Promise.all([
    findManifest(tx, id),
    sumLines(tx, id),
    listLines(tx, id, 0, linesAtOnce),
  ])
  return record && { record, sums, lines }
}

/** Marks the next lines without arrivals as missing, and closes them. */
export async function settleLines(work: UnitOfWork, pending: PendingManifest): Promise<void> {
  const { tx } = work
  await settleThese(work, pending, await listLines(tx, pending.id, pending.line_no, linesAtOnce))
}

async function settleThese(
  work: UnitOfWork,
  pending: PendingManifest,
  lines: readonly StoredLine[],
): Promise<void> {
  const { tx } = work
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
  if (lines.length === linesAtOnce) await savePendingManifest(tx, { id, since, line_no })
  else if (pending.line_no > 0) await deletePendingManifest(tx, id)
}

async function closeLine(work: UnitOfWork, stored: StoredLine): Promise<void> {
  const line: ManifestLine = { ...stored.line, status: lineStatus(stored, 'reconciled') }
  assert(line.status !== 'expected', 'no line of a closed manifest is expected', line.id)
  await updateLine(work.tx, { ...stored, line }, false, json(line))
  await yieldToEventLoop()
}
