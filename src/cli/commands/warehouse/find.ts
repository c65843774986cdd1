import type { Fulfillment, Transfer } from '../../../contract/resources/fulfillment.ts'
import type { Manifest } from '../../../contract/resources/manifest.ts'
import { isSameText } from '../../../domain/unicode-forms.ts'
import { isId } from '../../../domain/uuid.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { listFulfillments } from '../../../engine/fulfillments/fulfillments.ts'
import { listTransfers } from '../../../engine/fulfillments/transfers.ts'
import { listManifests } from '../../../engine/manifests/manifests.ts'
import { fulfillmentNamed, manifestNamed, onlyMatch, transferNamed } from '../../find/find-by-reference.ts'

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

/** Reads all of them: their list has no filter by reference (4.5). */
export async function transferId(work: UnitOfWork, given: string): Promise<string> {
  if (isId(given)) return given
  const { docs } = await listTransfers(work, { query: { page: 1, page_size: Number.MAX_SAFE_INTEGER } })
  const meant = parsed<Transfer>(docs as string[]).filter(({ external_ref }) =>
    isSameText(external_ref, given),
  )
  return onlyMatch(meant, given, transferNamed).id
}

function parsed<T>(docs: readonly string[]): T[] {
  return docs.map((doc) => JSON.parse(doc) as T)
}
