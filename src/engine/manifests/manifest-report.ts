import { type Json, json } from '../../contract/call.ts'
import type { ManifestReport, ReportLine, UnexpectedItem } from '../../contract/resources/manifest.ts'
import { manifestTotals, reportFields } from '../../domain/manifests/manifest.ts'
import { listUnexpectedIntakes } from '../../store/tables/intakes.ts'
import type { ReadContext } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { loadLines } from './manifest-pages.ts'
import { loadManifest } from './manifests.ts'

/**
 * GET /manifests/{manifest_id}/report (decisions 10): per line what came, and what came unexpected. Provisional while the
 * manifest is open, with `generated_at` null; afterwards nothing in it changes.
 */
export async function getManifestReport(
  view: ReadContext,
  { params }: { params: { manifest_id: string } },
): Promise<Json<ManifestReport>> {
  const { manifest, unexpected, generated_at } = await loadManifest(view, params.manifest_id)
  const stored = await loadLines(view, manifest.id)
  const lines: Array<Json<ReportLine>> = []
  for (const each of stored) {
    lines.push(json<ReportLine>({ ...each.line, ...reportFields(each) }))
    await yieldToEventLoop()
  }
  const head = json({
    manifest_id: manifest.id,
    reference: manifest.reference,
    status: manifest.status,
    generated_at,
    totals: manifestTotals(stored, unexpected),
  })
  const items = json(await unexpectedItems(view, manifest.id))
  return `${head.slice(0, -1)},"lines":[${lines.join(',')}],"unexpected":${items}}`
}

/** From their first intakes and not from the items, which go on changing after the report is final. */
async function unexpectedItems({ tx, scope }: ReadContext, manifestId: string): Promise<UnexpectedItem[]> {
  const items = new Map<string, UnexpectedItem>()
  for (const { qid, intake_at, condition_flags, item } of await listUnexpectedIntakes(
    tx,
    scope.id,
    manifestId,
  )) {
    if (items.has(qid)) continue
    const { name, sku, cert_number } = item
    items.set(qid, { qid, name, sku, cert_number, intake_at, condition_flags })
  }
  return [...items.values()]
}
