import { json } from '../../contract/call.ts'
import { assert } from '../../domain/invariant.ts'
import { isOpen, statusAfterArrival } from '../../domain/manifests/manifest.ts'
import { type ManifestRecord, saveManifest } from '../../store/tables/manifests.ts'
import type { UnitOfWork } from '../context.ts'
import { loadManifest } from '../manifests/manifests.ts'

/** The manifests of one batch of arrivals: each is loaded once and saved once at the end. */
export type Attributions = {
  /** `isExpected`: it matches a line. The first item makes the manifest `receiving` (decisions 6). */
  add(manifestId: string, isExpected: boolean): Promise<void>
  save(): Promise<void>
}

export function attributions(work: UnitOfWork, loaded: ManifestRecord | undefined): Attributions {
  const records = new Map<string, ManifestRecord>()
  if (loaded) records.set(loaded.manifest.id, loaded)
  const changed = new Set<string>()
  const known = async (id: string) => records.get(id) ?? loadManifest(work, id)
  return {
    async add(manifestId, isExpected) {
      const before = await known(manifestId)
      const record = withArrival(work, before, isExpected)
      records.set(manifestId, record)
      if (record !== before) changed.add(manifestId)
    },
    async save() {
      for (const [id, record] of records) {
        if (changed.has(id)) await saveManifest(work.tx, work.scope.id, record, json(record.manifest))
      }
    },
  }
}

function withArrival(work: UnitOfWork, record: ManifestRecord, isExpected: boolean): ManifestRecord {
  const { manifest } = record
  const status = statusAfterArrival(manifest.status)
  assert(isOpen(manifest.status), 'items are attributed to an open manifest', manifest.id, manifest.status)
  assert(record.unexpected >= 0, 'unexpected items are counted from 0', manifest.id, record.unexpected)
  if (status === manifest.status && isExpected) return record
  work.count('manifests', manifest.status, -1)
  work.count('manifests', status, 1)
  return {
    ...record,
    manifest: { ...manifest, status },
    unexpected: record.unexpected + (isExpected ? 0 : 1),
  }
}
