import type { Client } from '../../client/client.ts'
import { getWholeManifest } from '../../client/whole-manifest.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { Manifest, ManifestWithLines, ReconciliationTotals } from '../../contract/resources/manifest.ts'
import { isSameText } from '../../domain/unicode-forms.ts'
import { isId, isUuid } from '../../domain/uuid.ts'
import { CliError } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import { lookedUp, mayBeUnsupported } from '../connection/operation-support.ts'
import { byId, type PageQuery, walkPages } from '../connection/paging.ts'

/** Throws `not_found`, or `usage` if several have the reference. */
export async function findManifestId(client: Client, given: string): Promise<string> {
  if (isId(given)) return given
  const { data } = await client.listManifests({ query: { reference: given } })
  return onlyMatch(data.results, given, manifestNamed).id
}

/** Without lines if the service has no operation for them. Throws like `findManifestId`. */
export async function findManifest(client: Client, given: string): Promise<Manifest | ManifestWithLines> {
  const id = await findManifestId(client, given)
  try {
    return await getWholeManifest(client, id)
  } catch (error) {
    if (!(await mayBeUnsupported(client, error))) throw error
    return manifestInList(client, id)
  }
}

async function manifestInList(client: Client, id: string): Promise<Manifest> {
  const fetch = (query: PageQuery) => client.listManifests({ query })
  for await (const { results } of walkPages({ fetch, keyOf: byId })) {
    const found = results.find((manifest) => manifest.id === id.toLowerCase())
    if (found !== undefined) return found
  }
  throw noneFound('manifest', id)
}

/** Null if the service offers no report. */
export async function manifestTotals(
  client: Client,
  manifest_id: string,
): Promise<ReconciliationTotals | null> {
  try {
    const query = { page_size: 1 }
    return (await client.getManifestReport({ params: { manifest_id }, query })).data.totals
  } catch (error) {
    if (await mayBeUnsupported(client, error)) return null
    throw error
  }
}

export function receivedUnits({ matched, condition_mismatch }: ReconciliationTotals): number {
  return matched + condition_mismatch
}

export async function resolveManifestFilter(client: Client, query: Record<string, unknown>): Promise<void> {
  if (typeof query.manifest_id === 'string')
    query.manifest_id = await findManifestId(client, query.manifest_id)
}

/** `told`: text that distinguishes several with the same name. */
type Named<T> = { noun: string; by?: string; told: (found: T) => string }

export const manifestNamed: Named<Manifest> = {
  noun: 'manifest',
  told: ({ status, created_at, line_count }) =>
    `${status}, created ${created_at}, ${counted(line_count, 'line')}`,
}

export const fulfillmentNamed: Named<Fulfillment> = { noun: 'fulfillment', told: ({ status }) => status }

export const transferNamed: Named<Transfer> = { noun: 'transfer', told: ({ status }) => status }

/** A UUID that matches no reference may be an id from another implementation. Throws `not_found`, or `usage` if several have the name. */
export function onlyMatch<T extends { id: string }>(
  found: readonly T[],
  given: string,
  { noun, by = 'reference', told }: Named<T>,
): { id: string } {
  const [one, ...others] = found
  if (one === undefined && isUuid(given)) return { id: given }
  if (one === undefined) throw noneFound(noun, given, by)
  if (others.length === 0) return one
  const fields = Object.fromEntries(found.map((each) => [each.id, [told(each)]]))
  throw new CliError('usage', `Several ${noun}s have the ${by} "${given}"; give the id of one.`, { fields })
}

export function noneFound(noun: string, given: string, by = 'reference'): CliError {
  return new CliError('not_found', `There is no ${noun} with the id or ${by} "${given}".`, {
    hint: `See: custody ${noun}s ls`,
  })
}

export async function findFulfillmentId(client: Client, given: string): Promise<string> {
  if (isId(given)) return given
  const lookUp = () => client.listFulfillments({ query: { external_ref: given } })
  const { results } = (await lookedUp(client, 'fulfillment by your reference', lookUp)).data
  return onlyMatch(results, given, fulfillmentNamed).id
}

/** Pages through the list, which has no filter by reference (4.5). Throws `not_found`, or `usage` if several have it. */
export async function findTransferId(client: Client, given: string): Promise<string> {
  if (isId(given)) return given
  const found: Transfer[] = []
  const fetch = (query: PageQuery) => client.listTransfers({ query })
  for await (const { results } of walkPages({ fetch, keyOf: byId })) {
    found.push(...results.filter(({ external_ref }) => isSameText(external_ref, given)))
  }
  return onlyMatch(found, given, transferNamed).id
}
