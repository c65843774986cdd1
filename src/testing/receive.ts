import type { Client, Request } from '../client/library.ts'
import type { IntakeEvent } from '../contract/resources/item.ts'

/** What is on a manifest arrives. `named`: its id, or its reference, of which the newest counts. */
export async function receive(
  client: Client,
  named: string,
  how: Request<'receiveManifest'>['body'],
): Promise<IntakeEvent[]> {
  const { data } = await client.listManifests({ query: { reference: named, page_size: 1 } })
  const manifest_id = data.results[0]?.id ?? named
  return (await client.receiveManifest({ params: { manifest_id }, body: how })).data.intakes
}
