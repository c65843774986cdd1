import { type Client, ServiceError } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import { manifestsById } from './by-key.ts'

type ManifestId = string | null | undefined

/** Looks up each manifest's reference once; if the service cannot answer now, shows ids instead. */
export function createReferences(
  client: Client,
): (ids: readonly ManifestId[]) => Promise<(id: ManifestId) => string | null> {
  const known = new Map<string, string>()
  return async (ids) => {
    const missing = new Set(ids.flatMap((id) => (id && !known.has(id) ? [id] : [])))
    for (const [id, { reference }] of await foundOf(client, missing)) known.set(id, reference)
    return (id) => (id ? (known.get(id) ?? id) : null)
  }
}

async function foundOf(client: Client, ids: ReadonlySet<string>): Promise<Map<string, Manifest>> {
  try {
    return await manifestsById(client, ids)
  } catch (error) {
    if (error instanceof NetworkError || error instanceof ServiceError) return new Map()
    throw error
  }
}
