import { parsedJson } from '../../contract/call.ts'
import type { ManifestStatus } from '../../contract/enums.ts'
import type { Manifest, ManifestLine } from '../../contract/resources/manifest.ts'
import { hasRoom, isOpen, type LineProgress, lineStatus } from '../../domain/manifests/manifest.ts'
import { lineContent, manifestContent } from '../../domain/manifests/manifest-content.ts'
import type { Tx } from '../database.ts'
import { lineColumns } from '../tables/manifest-lines.ts'
import { manifestColumns } from '../tables/manifests.ts'
import { listPendingManifests } from '../tables/pending-manifests.ts'
import { differences, documentOf, type Finding, miscount } from './check-findings.ts'
import { pagesOf, type Row, rowsOf } from './scoped-rows.ts'

export async function checkManifests(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const pending = new Map((await listPendingManifests(tx, scopeId)).map(({ id, line_no }) => [id, line_no]))
  for await (const { rows, part } of pagesOf(tx, scopeId, 'manifests')) {
    const manifests = new Map<string, { status: ManifestStatus; line_count: number }>()
    for (const row of rows) {
      const manifest = documentOf<Manifest>('manifests', String(row.id), row.doc, findings)
      if (!manifest) continue
      findings.push(...checkManifest(row, manifest))
      const { status, line_count } = manifest
      manifests.set(String(row.id), { status, line_count })
    }
    const contents = new Map(rows.map((row) => [String(row.id), row.content ?? null]))
    const lines = new Map<string, number>()
    let content: { id: string; texts: string[] } = { id: '', texts: [] }
    for await (const row of rowsOf(tx, scopeId, 'manifest_lines', part)) {
      const manifestId = String(row.manifest_id)
      lines.set(manifestId, (lines.get(manifestId) ?? 0) + 1)
      if (content.id !== manifestId) {
        findings.push(...checkContent(content, contents))
        content = { id: manifestId, texts: [] }
      }
      const line = contents.get(manifestId) == null ? undefined : parsedJson(String(row.doc))
      if (line) content.texts.push(lineContent(line as ManifestLine))
      findings.push(
        ...checkLine(row, statusBy(row, manifests.get(manifestId)?.status, pending.get(manifestId))),
      )
    }
    findings.push(...checkContent(content, contents))
    for (const [id, { line_count }] of manifests) {
      findings.push(...miscount('manifests', `${id} line_count`, line_count, lines.get(id) ?? 0))
    }
  }
  return findings
}

/** A manifest's stored digest, if any, equals the digest of its lines. */
function checkContent(
  { id, texts }: { id: string; texts: string[] },
  contents: ReadonlyMap<string, unknown>,
): Finding[] {
  const kept = contents.get(id) ?? null
  const digest = manifestContent(texts.sort())
  if (kept === null || kept === digest) return []
  return [{ table: 'manifests', key: id, problem: `content is ${kept}, its lines say ${digest}` }]
}

function checkManifest(row: Row, manifest: Manifest): Finding[] {
  const { status } = manifest
  const key = String(row.id)
  const findings = differences('manifests', key, row, manifestColumns(manifest))
  if (isOpen(status) === (row.generated_at === null)) return findings
  const problem = `is ${status}, but generated_at is ${row.generated_at}`
  return [...findings, { table: 'manifests', key, problem }]
}

/** The status that applies to a line. During a stepped submission or close, lines after `upTo` still count as open. */
function statusBy(
  { line_no }: Row,
  status: ManifestStatus | undefined,
  upTo: number | undefined,
): ManifestStatus | undefined {
  if (upTo === undefined) return status
  return status && Number(line_no) <= upTo ? status : 'receiving'
}

function checkLine(row: Row, status: ManifestStatus | undefined): Finding[] {
  const findings: Finding[] = []
  const key = `${row.manifest_id} ${row.line_no}`
  const line = documentOf<ManifestLine>('manifest_lines', key, row.doc, findings)
  if (!line) return findings
  if (!status) return [{ table: 'manifest_lines', key, problem: 'its manifest is missing' }]
  const progress = row as unknown as LineProgress
  const is_open = isOpen(status) && hasRoom(progress) ? 1 : 0
  findings.push(...differences('manifest_lines', key, row, { ...lineColumns(line), is_open }))
  const derived = lineStatus(progress, status)
  if (line.status === derived) return findings
  const problem = `its document says ${line.status}, its units ${derived}`
  return [...findings, { table: 'manifest_lines', key, problem }]
}
