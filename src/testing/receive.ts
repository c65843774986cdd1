import type { Client, Request } from '../client/library.ts'
import type { IntakeEvent } from '../contract/resources/item.ts'

/** `named`: the manifest's id, or its reference, in which case the newest one is received. */
export async function receive(
  client: Client,
  named: string,
  how: Request<'receiveManifest'>['body'],
): Promise<IntakeEvent[]> {
  const { data } = await client.listManifests({ query: { reference: named, page_size: 1 } })
  const manifest_id = data.results[0]?.id ?? named
  return (await client.receiveManifest({ params: { manifest_id }, body: how })).data.intakes
}
