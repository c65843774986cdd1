import type { Client } from '../../client/client.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import type { ManifestLine, ManifestReport, ManifestWithLines } from '../../contract/resources/manifest.ts'
import { walkPages } from '../connection/paging.ts'
import type { Flagged } from '../views/manifests.ts'

/** A line says only that a unit is flagged; this names the unit. */
export async function withFlaggedUnits<T extends ManifestReport | ManifestWithLines>(
  client: Client,
  manifest: T,
): Promise<T & Flagged> {
  const lines: readonly ManifestLine[] = manifest.lines
  const isFlagged = ({ status }: ManifestLine): boolean => status === 'condition_mismatch'
  if (!lines.some(isFlagged)) return { ...manifest, flagged: [] }
  const manifest_id = 'id' in manifest ? manifest.id : manifest.manifest_id
  const arrivals = await flaggedArrivals(client, manifest_id)
  const flagged = lines.filter(isFlagged).flatMap(({ id, external_ref, description, matched_qids }) => {
    const own = matched_qids.filter((qid) => arrivals.has(qid))
    return own.map((qid) => ({
      qid,
      condition_flags: arrivals.get(qid) ?? [],
      line_id: id,
      external_ref,
      description,
      others: matched_qids.length - own.length,
    }))
  })
  return { ...manifest, flagged }
}

async function flaggedArrivals(client: Client, manifest_id: string): Promise<Map<string, readonly string[]>> {
  const flags = new Map<string, readonly string[]>()
  const fetch = (page: number, page_size: number) =>
    client.listIntakes({ query: { manifest_id, page, page_size } })
  const keyOf = ({ qid, intake_at }: IntakeEvent): string => `${qid} ${intake_at}`
  // Newest first: for an item that came twice, the first arrival counts, as in the report.
  for await (const { results } of walkPages({ fetch, keyOf }))
    for (const { qid, condition_flags } of results) {
      if (condition_flags.length > 0) flags.set(qid, condition_flags)
      else flags.delete(qid)
    }
  return flags
}
