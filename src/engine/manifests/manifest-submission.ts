import { type Json, json } from '../../contract/call.ts'
import type {
  Manifest,
  ManifestCreate,
  ManifestLine,
  ManifestLineCreate,
} from '../../contract/resources/manifest.ts'
import { assert } from '../../domain/invariant.ts'
import { deleteLines, insertLines, listLines, type StoredLine } from '../../store/tables/manifest-lines.ts'
import { saveManifest } from '../../store/tables/manifests.ts'
import {
  deletePendingManifest,
  findPendingManifest,
  type PendingManifest,
  savePendingManifest,
} from '../../store/tables/pending-manifests.ts'
import type { UnitOfWork } from '../context.ts'
import type { StepPart } from '../stepped-write.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
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
  const begun = part.manifestId && (await findPendingManifest(work.tx, work.scope.id, part.manifestId))
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
    await savePendingManifest(work.tx, work.scope.id, grown)
    return { manifest: undefined, lines }
  }
  if (begun) await deletePendingManifest(work.tx, work.scope.id, pending.id)
  return { manifest: await insertManifest(work, grown, whole), lines }
}

export async function removeLines(work: UnitOfWork, pending: PendingManifest): Promise<void> {
  const { tx, scope } = work
  const { id, since } = pending
  const line_no = Math.max(0, pending.line_no - linesAtOnce)
  const lines = await listLines(tx, scope.id, id, line_no, linesAtOnce)
  assert(lines.length <= linesAtOnce && line_no >= 0, 'lines are taken from the end', id, line_no)
  await deleteLines(tx, scope.id, id, line_no)
  await dropPhrases(work, lines)
  if (line_no > 0) await savePendingManifest(tx, scope.id, { id, since, line_no })
  else await deletePendingManifest(tx, scope.id, id)
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
  await saveManifest(work.tx, work.scope.id, { manifest, unexpected: 0, generated_at: null }, doc)
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
  await insertLines(work.tx, work.scope.id, entries)
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
