import type { Client } from '../../client/client.ts'
import { pagesOf } from '../../client/pages.ts'
import { linesPageMax } from '../../contract/limits.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { offered } from '../connection/operation-support.ts'

/** The partner's names of a manifest and a line, or their ids if the service does not show manifests. */
export type LineNames = (
  manifestId: string | null | undefined,
  lineId: string | null | undefined,
) => { reference: string | null; line: string | null }

export async function lineNames(client: Client, events: readonly WebhookEvent[]): Promise<LineNames> {
  const references = new Map<string, string>()
  const lines = new Map<string, string>()
  for (const { type, data } of events) {
    if (type !== 'item.intake.completed') continue
    const { manifest_id, manifest_line_id } = data as IntakeEvent
    if (!manifest_id || references.has(manifest_id)) continue
    const found = await offered(client, lineOf(client, manifest_id, manifest_line_id ?? undefined))
    const { reference = manifest_id, line } = found ?? {}
    references.set(manifest_id, reference)
    if (line !== undefined) lines.set(line.id, nameOf(line))
  }
  return (manifestId, lineId) => ({
    reference: manifestId ? (references.get(manifestId) ?? manifestId) : null,
    line: lineId ? (lines.get(lineId) ?? lineId) : null,
  })
}

async function lineOf(
  client: Client,
  manifest_id: string,
  wanted: string | undefined,
): Promise<{ reference: string; line: ManifestLine | undefined }> {
  let found: { reference: string; line: ManifestLine | undefined } | undefined
  const pages = pagesOf((query) =>
    client.getManifest({ params: { manifest_id }, query: { ...query, page_size: linesPageMax } }),
  )
  for await (const { data } of pages) {
    const { reference, lines } = data
    found = { reference, line: lines.find(({ id }) => id === wanted) }
    if (found.line !== undefined || wanted === undefined) break
  }
  return found ?? { reference: manifest_id, line: undefined }
}

function nameOf({ external_ref, description }: ManifestLine): string {
  return external_ref === null ? `"${description}"` : `${external_ref} "${description}"`
}
