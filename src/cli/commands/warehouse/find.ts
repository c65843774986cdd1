import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import type { Manifest } from '../../../contract/resources/manifest.ts'
import { isId } from '../../../domain/uuid.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { listFulfillments } from '../../../engine/fulfillments/fulfillments.ts'
import { listManifests } from '../../../engine/manifests/manifests.ts'
import { fulfillmentNamed, manifestNamed, onlyMatch } from '../../find/find-by-reference.ts'

const firstPage = { page: 1, page_size: 25 }

export async function fulfillmentId(work: UnitOfWork, given: string): Promise<string> {
  if (isId(given)) return given
  const { docs } = await listFulfillments(work, { query: { ...firstPage, external_ref: given } })
  return onlyMatch(parsed<Fulfillment>(docs as string[]), given, fulfillmentNamed).id
}

export async function manifestId(work: UnitOfWork, given: string): Promise<string> {
  if (isId(given)) return given.toLowerCase()
  const { docs } = await listManifests(work, { query: { ...firstPage, reference: given } })
  return onlyMatch(parsed<Manifest>(docs as string[]), given, manifestNamed).id.toLowerCase()
}

function parsed<T>(docs: readonly string[]): T[] {
  return docs.map((doc) => JSON.parse(doc) as T)
}
