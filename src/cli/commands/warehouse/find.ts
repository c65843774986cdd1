import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import type { Manifest } from '../../../contract/resources/manifest.ts'
import { isUuid } from '../../../domain/uuid.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { listFulfillments } from '../../../engine/fulfillments/fulfillments.ts'
import { listManifests } from '../../../engine/manifests/manifests.ts'
import { CliError, usage } from '../../base/cli-error.ts'

const firstTwo = { page: 1, page_size: 2 }

export async function fulfillmentId(work: UnitOfWork, given: string): Promise<string> {
  if (isUuid(given)) return given
  const { docs } = await listFulfillments(work, { query: { ...firstTwo, external_ref: given } })
  return onlyOne(docs as string[], 'fulfillment', given)
}

export async function manifestId(work: UnitOfWork, given: string): Promise<string> {
  if (isUuid(given)) return given.toLowerCase()
  const { docs } = await listManifests(work, { query: { ...firstTwo, reference: given } })
  return onlyOne(docs as string[], 'manifest', given)
}

function onlyOne([first, second]: readonly string[], what: string, given: string): string {
  if (first === undefined) {
    throw new CliError('not_found', `There is no ${what} with the id or reference "${given}".`)
  }
  if (second !== undefined) throw usage(`Several have the reference "${given}"; give the id of one.`)
  return (JSON.parse(first) as Fulfillment | Manifest).id
}
