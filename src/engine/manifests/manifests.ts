import { type Json, json } from '../../contract/call.ts'
import type { Repeats } from '../../contract/enums.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import type {
  Manifest,
  ManifestCreate,
  ManifestLine,
  ReportLine,
  UnexpectedItem,
} from '../../contract/resources/manifest.ts'
import { lineStatus, manifestTotals, reportFields, requestFaults } from '../../domain/manifests/manifest.ts'
import { existing, type FieldErrors, type Given, invalid } from '../../domain/rejection.ts'
import { listDocs } from '../../store/tables/documents.ts'
import { listUnexpectedIntakes } from '../../store/tables/intakes.ts'
import { listLines, type StoredLine, sumLines } from '../../store/tables/manifest-lines.ts'
import { findManifest, type ManifestRecord, manifestFilters } from '../../store/tables/manifests.ts'
import { type Handler, offsetOf, type ReadContext, type SteppedWrite, sliceOf } from '../context.ts'
import type { CatalogLookup } from '../items/products.ts'
import { Repeated } from '../repeats.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { contentOf, repeatedManifest } from './manifest-content.ts'
import { addLines, linesAtOnce } from './manifest-submission.ts'

/** POST /manifests (4.1): all or nothing, so checked before the first insert. `invalid` names every faulty line (decisions 6). */
export async function openManifest(
  { lines, ...head }: ManifestCreate,
  catalog: CatalogLookup,
  repeats: Repeats,
): Promise<SteppedWrite> {
  const fields = await manifestFaults({ lines, ...head }, catalog)
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const content = repeats === 'skip' ? await contentOf(lines) : undefined
  return {
    end: lines.length,
    async take(work, place, part) {
      const some = lines.slice(place, place + linesAtOnce)
      const next = place + some.length
      if (content !== undefined && (place === 0 || next === lines.length)) {
        const earlier = await repeatedManifest(work, head.reference, content)
        if (earlier) throw new Repeated(earlier)
      }
      const { manifest } = await addLines(work, part, some, next === lines.length ? head : undefined)
      if (manifest) part.created.push(manifest)
      return next
    },
    answer: async (parts) => parts.flatMap(({ created }) => created),
  }
}

export async function manifestFaults(
  sent: Given<ManifestCreate>,
  catalog: CatalogLookup,
): Promise<FieldErrors> {
  const skus = sent.lines?.flatMap((line) => line?.sku ?? []) ?? []
  const known = skus.length > 0 ? await catalog(skus) : new Set()
  return requestFaults(sent, (sku) => known.has(sku))
}

/** GET /manifests (4.1): newest first; `reference` matches exactly. */
export const listManifests: Handler<'listManifests', 'query'> = (view, { query }) =>
  listDocs(view.tx, 'manifests', manifestFilters, query, sliceOf(query))

/** GET /manifests/{manifest_id} (decisions 10): with a page of its lines, in the order sent. */
export const getManifest: Handler<'getManifest'> = async (view, { params, query }) => {
  const { manifest_id: id } = params
  const { tx } = view
  const [{ manifest }, lines] = await Promise.all([
    loadManifest(view, id),
    listLines(tx, id, offsetOf(query), query.page_size + 1),
  ])
  const shown = lines.slice(0, query.page_size).map((stored) => json(shownLine(manifest, stored)))
  const text = `${json(manifest).slice(0, -1)},"lines":[${shown.join(',')}]}`
  return { text, hasMore: lines.length > query.page_size }
}

/** Throws `not_found` alike for missing manifests and those of other partners or environments (part 5). */
export async function loadManifest(view: ReadContext, id: string): Promise<ManifestRecord> {
  return existing(await findManifest(view.tx, id))
}

/** A line with the status that follows from its manifest's: after a close, stored lines change step by step. */
function shownLine({ status }: Manifest, stored: StoredLine): ManifestLine {
  return { ...stored.line, status: lineStatus(stored, status) }
}

/** GET /manifests/{manifest_id}/report (decisions 10): provisional with `generated_at` null while open, final afterwards. */
export const getManifestReport: Handler<'getManifestReport'> = async (view, { params, query }) => {
  const { tx } = view
  const { manifest_id: id } = params
  const [limit, offset] = [query.page_size + 1, offsetOf(query)]
  const [{ manifest, unexpected, generated_at }, progress, stored, items] = await Promise.all([
    loadManifest(view, id),
    sumLines(tx, id),
    listLines(tx, id, offset, limit),
    listUnexpectedIntakes(tx, id, limit, offset),
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
