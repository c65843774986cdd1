import type { ManifestStatus } from '../../contract/enums.ts'
import type { Manifest, ManifestLine } from '../../contract/resources/manifest.ts'
import { hasRoom, isOpen, type LineProgress, lineStatus } from '../../domain/manifests/manifest.ts'
import { certKey } from '../../domain/manifests/normalise.ts'
import { linePhrase } from '../../domain/manifests/phrase.ts'
import type { Tx } from '../database.ts'
import { manifestColumns } from '../tables/manifests.ts'
import { listShutManifests } from '../tables/shut-manifests.ts'
import {
  differences,
  documentOf,
  type Finding,
  miscount,
  pagesOf,
  type Row,
  rowsOf,
} from './check-findings.ts'

const columnsOfManifest = ['id', 'reference', 'status', 'expected_arrival_end', 'generated_at', 'doc']
const lineColumns = 'manifest_id line_no id cert_key sku phrase_key quantity clean flagged is_open doc'.split(
  ' ',
)

/** Manifests and their lines: documents, columns, and what follows from how much has arrived. */
export async function checkManifests(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const shut = new Map((await listShutManifests(tx, scopeId)).map(({ id, line_no }) => [id, line_no]))
  for await (const { rows, part } of pagesOf<Row>(tx, scopeId, 'manifests', columnsOfManifest, ['id'])) {
    const manifests = new Map<string, { status: ManifestStatus; line_count: number }>()
    for (const row of rows) {
      const manifest = documentOf<Manifest>('manifests', String(row.id), row.doc ?? '', findings)
      if (!manifest) continue
      findings.push(...checkManifest(row, manifest))
      const { status, line_count } = manifest
      manifests.set(String(row.id), { status, line_count })
    }
    const lines = new Map<string, number>()
    const lineKey = ['manifest_id', 'line_no']
    for await (const row of rowsOf<Row>(tx, scopeId, 'manifest_lines', lineColumns, lineKey, part)) {
      const manifestId = String(row.manifest_id)
      lines.set(manifestId, (lines.get(manifestId) ?? 0) + 1)
      findings.push(...checkLine(row, statusBy(row, manifests.get(manifestId)?.status, shut.get(manifestId))))
    }
    for (const [id, { line_count }] of manifests) {
      findings.push(...miscount('manifests', `${id} line_count`, line_count, lines.get(id) ?? 0))
    }
  }
  return findings
}

function checkManifest(row: Row, manifest: Manifest): Finding[] {
  const { status } = manifest
  const key = String(row.id)
  const findings = differences('manifests', key, row, manifestColumns(manifest))
  if (isOpen(status) === (row.generated_at === null)) return findings
  const problem = `is ${status}, but generated_at is ${row.generated_at}`
  return [...findings, { table: 'manifests', key, problem }]
}

/**
 * The status of its manifest that a line goes by. `upTo`: of one that is shut, the last line that was put in, where nothing
 * else is there of it, or closed.
 */
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
  const line = documentOf<ManifestLine>('manifest_lines', key, row.doc ?? '', findings)
  if (!line) return findings
  if (!status) return [{ table: 'manifest_lines', key, problem: 'its manifest is not there' }]
  const progress = row as unknown as LineProgress
  const expected: Row = {
    id: line.id,
    cert_key: line.cert_number === null ? null : certKey(line.cert_number),
    sku: line.sku,
    phrase_key: linePhrase(line)?.key ?? null,
    quantity: line.quantity,
    is_open: isOpen(status) && hasRoom(progress) ? 1 : 0,
  }
  findings.push(...differences('manifest_lines', key, row, expected))
  const derived = lineStatus(progress, status)
  if (line.status !== derived) {
    findings.push({
      table: 'manifest_lines',
      key,
      problem: `its document says ${line.status}, its units ${derived}`,
    })
  }
  return findings
}
