import { type Json, json } from '../../contract/call.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import type { ManifestReport, ReportLine, UnexpectedItem } from '../../contract/resources/manifest.ts'
import { manifestTotals, reportFields } from '../../domain/manifests/manifest.ts'
import { listUnexpectedIntakes } from '../../store/tables/intakes.ts'
import { listLines, sumLines } from '../../store/tables/manifest-lines.ts'
import type { ReadContext } from '../context.ts'
import { type LinkedPage, offsetOf, type Paging } from '../listing.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { loadManifest, shownLine } from './manifests.ts'

/** GET /manifests/{manifest_id}/report (decisions 10): provisional with `generated_at` null while open, final afterwards. */
export async function getManifestReport(
  view: ReadContext,
  { params, query }: { params: { manifest_id: string }; query: Paging },
): Promise<LinkedPage<ManifestReport>> {
  const { tx, scope } = view
  const { manifest_id: id } = params
  const [limit, offset] = [query.page_size + 1, offsetOf(query)]
  const [{ manifest, unexpected, generated_at }, progress, stored, items] = await Promise.all([
    loadManifest(view, id),
    sumLines(tx, scope.id, id),
    listLines(tx, scope.id, id, offset, limit),
    listUnexpectedIntakes(tx, scope.id, id, limit, offset),
  ])
  const lines: Array<Json<ReportLine>> = []
  for (const each of stored.slice(0, query.page_size)) {
    lines.push(json<ReportLine>({ ...shownLine(manifest, each), ...reportFields(each) }))
    await yieldToEventLoop()
  }
  const head = json({
    manifest_id: manifest.id,
    reference: manifest.reference,
    status: manifest.status,
    generated_at,
    totals: manifestTotals(progress, unexpected),
  })
  const shown = json(items.slice(0, query.page_size).map(unexpectedItem))
  return {
    text: `${head.slice(0, -1)},"lines":[${lines.join(',')}],"unexpected":${shown}}`,
    hasMore: Math.max(stored.length, items.length) > query.page_size,
  }
}

/** From the first intake, because the item keeps changing after the report is final. */
function unexpectedItem({ qid, intake_at, condition_flags, item }: IntakeEvent): UnexpectedItem {
  const { name, sku, cert_number } = item
  return { qid, name, sku, cert_number, intake_at, condition_flags }
}
