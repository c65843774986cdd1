import type { Client } from '../client/client.ts'
import type { Manifest } from '../contract/resources/manifest.ts'
import { CliError } from './cli-error.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidForm.test(text)
}

/** The id of a manifest given by id or reference. Throws `not_found`, and `usage` where several have the reference. */
export async function findManifestId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const { data } = await client.listManifests({ query: { reference: given } })
  const [found, ...others] = data.results
  if (found === undefined) {
    throw new CliError('not_found', `There is no manifest with the id or reference "${given}".`, {
      hint: 'See: custody manifests ls',
    })
  }
  if (others.length > 0) throw ambiguous(given, data.results)
  return found.id
}

/** A manifest_id filter may hold a reference. */
export async function resolveManifestFilter(client: Client, query: Record<string, unknown>): Promise<void> {
  if (typeof query.manifest_id === 'string')
    query.manifest_id = await findManifestId(client, query.manifest_id)
}

function ambiguous(reference: string, manifests: readonly Manifest[]): CliError {
  const fields = Object.fromEntries(
    manifests.map(({ id, created_at, status }) => [id, [`${status}, created ${created_at}`]]),
  )
  return new CliError('usage', `Several manifests have the reference "${reference}"; give the id of one.`, {
    fields,
  })
}
