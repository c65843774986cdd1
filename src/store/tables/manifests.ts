import type { Json } from '../../contract/call.ts'
import type { Environment } from '../../contract/enums.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import { digestLength } from '../../domain/manifests/manifest.ts'
import { assert } from '../../domain/rejection.ts'
import { unicodeForms } from '../../domain/unicode-forms.ts'
import { join, type ScopedTx, sql, upsert } from '../database.ts'
import { anyOf, type FilterRules } from './documents.ts'

export type ManifestRecord = {
  manifest: Manifest
  /** Items attributed to it that match none of its lines (decisions 6). */
  unexpected: number
  /** When it was reconciled; null while it is open. */
  generated_at: string | null
}

export type ManifestRow = Omit<ManifestRecord, 'manifest'> & { doc: string }

export async function saveManifest(tx: ScopedTx, record: ManifestRecord, doc: Json<Manifest>): Promise<void> {
  const { manifest, unexpected, generated_at } = record
  const { id, status } = manifest
  assert(doc.includes(id), 'a document belongs to its manifest', id)
  assert((status === 'reconciled') === (generated_at !== null), 'a report is final once closed', id, status)
  assert(unexpected >= 0, 'unexpected items are counted from 0', id, unexpected)
  const row = { scope_id: tx.scope, ...manifestColumns(manifest), unexpected, generated_at, doc }
  await tx.change(upsert('manifests', row, ['status', 'unexpected', 'generated_at', 'doc']))
}

export function manifestColumns({ id, reference, status, expected_arrival_end }: Manifest) {
  return { id, reference, status, expected_arrival_end }
}

export async function findManifest(tx: ScopedTx, id: string): Promise<ManifestRecord | undefined> {
  const row = await tx.get<ManifestRow>(
    sql`select unexpected, generated_at, doc from manifests where scope_id = ${tx.scope} and id = ${id}`,
  )
  return row && manifestOf(row)
}

export async function findOfAnyPartner(
  tx: ScopedTx,
  environment: Environment,
  id: string,
): Promise<{ partner_name: string; reference: string } | undefined> {
  return tx.get(sql`
    select p.name as partner_name, m.reference
    from scopes s join partners p on p.id = s.partner_id cross join manifests m
    where s.environment = ${environment} and m.scope_id = s.id and m.id = ${id}`)
}

/** At most two manifests with this reference or, if there is none, with it in upper or lower case. */
export async function listInAnyCase(tx: ScopedTx, reference: string): Promise<string[]> {
  for (const spellings of [[reference], [reference.toUpperCase(), reference.toLowerCase()]]) {
    const ids = await tx.values<string>(sql`
      select id from manifests where scope_id = ${tx.scope} and reference in (${join(spellings.flatMap(unicodeForms))})
      order by id desc limit 2`)
    if (ids.length > 0) return ids
  }
  return []
}

/** Manifests of a reference without a stored digest, newest first. */
export async function listWithoutContent(tx: ScopedTx, reference: string): Promise<string[]> {
  return tx.values(sql`
    select id from manifests
    where scope_id = ${tx.scope} and reference in (${join(unicodeForms(reference))}) and content is null
    order by id desc`)
}

export async function saveManifestContent(tx: ScopedTx, id: string, content: string): Promise<void> {
  assert(content.length === digestLength, 'the content of a manifest is a digest', id, content)
  await tx.change(sql`update manifests set content = ${content} where scope_id = ${tx.scope} and id = ${id}`)
}

/** The newest manifest of a reference with this content, otherwise its newest one. */
export async function findByContent(
  tx: ScopedTx,
  reference: string,
  content: string,
): Promise<{ doc: Json<Manifest>; isSame: boolean } | undefined> {
  const row = await tx.get<{ doc: string; content: string | null }>(sql`
    select doc, content from manifests
    where scope_id = ${tx.scope} and reference in (${join(unicodeForms(reference))})
    order by case when content = ${content} then 0 else 1 end, id desc limit 1`)
  return row && { doc: row.doc, isSame: row.content === content }
}

export const manifestFilters: FilterRules<'listManifests'> = {
  status: { where: (status) => sql`status = ${status}`, isCounted: true },
  reference: {
    where: (reference, scopeId) => anyOf('manifests', 'reference', unicodeForms(reference), scopeId),
  },
}

/** The open manifest that is longest overdue, if its expected arrival ended by `lastEnd`. */
export async function findOverdue(tx: ScopedTx, lastEnd: string): Promise<ManifestRecord | undefined> {
  const row = await tx.get<ManifestRow>(sql`
    select unexpected, generated_at, doc from manifests
    where scope_id = ${tx.scope} and status <> 'reconciled' and expected_arrival_end <= ${lastEnd}
    order by expected_arrival_end, id limit 1`)
  return row && manifestOf(row)
}

export function manifestOf({ doc, ...facts }: ManifestRow): ManifestRecord {
  return { ...facts, manifest: JSON.parse(doc) }
}
