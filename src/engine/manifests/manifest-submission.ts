import { type Json, json } from '../../contract/call.ts'
import type { ManifestSource } from '../../contract/enums.ts'
import type { Manifest, ManifestLine, ManifestLineCreate } from '../../contract/resources/manifest.ts'
import { insertLines, type StoredLine } from '../../store/tables/manifest-lines.ts'
import { saveManifest } from '../../store/tables/manifests.ts'
import type { UnitOfWork } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { addPhrases } from './line-phrases.ts'

/** A manifest as it was sent and checked; lines in their order. */
type Submission = {
  reference: string
  source?: ManifestSource | undefined
  expected_arrival_start?: string | null | undefined
  expected_arrival_end?: string | null | undefined
  lines: readonly ManifestLineCreate[]
}

const linesAtOnce = 500

/** Makes a manifest and its lines, open for matching (2.1, 4.1). Answers their wire forms. */
export async function insertSubmission(
  work: UnitOfWork,
  sent: Submission,
): Promise<{ manifest: Json<Manifest>; lines: Array<Json<ManifestLine>> }> {
  const manifest: Manifest = {
    id: work.newId(),
    reference: sent.reference,
    ...(sent.source === undefined ? undefined : { source: sent.source }),
    status: 'submitted',
    expected_arrival_start: sent.expected_arrival_start ?? null,
    expected_arrival_end: sent.expected_arrival_end ?? null,
    line_count: sent.lines.length,
    created_at: work.now,
  }
  const doc = json(manifest)
  await saveManifest(work.tx, work.scope.id, { manifest, unexpected: 0, generated_at: null }, doc)
  work.count('manifests', 'submitted', 1)
  return { manifest: doc, lines: await insertSentLines(work, manifest.id, sent.lines) }
}

async function insertSentLines(
  work: UnitOfWork,
  manifestId: string,
  sent: readonly ManifestLineCreate[],
): Promise<Array<Json<ManifestLine>>> {
  const docs: Array<Json<ManifestLine>> = []
  const lines: ManifestLine[] = []
  for (const line of sent) {
    lines.push(newLine(work, line))
    await yieldToEventLoop()
  }
  await addPhrases(work, manifestId, lines)
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    const entries = lines.slice(from, from + linesAtOnce).map((line, at) => {
      return { stored: newRecord(manifestId, from + at + 1, line), doc: json(line) }
    })
    await insertLines(work.tx, work.scope.id, entries)
    for (const { doc } of entries) docs.push(doc)
    await yieldToEventLoop()
  }
  return docs
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
