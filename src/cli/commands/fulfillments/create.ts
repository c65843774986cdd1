import type { BodyInput } from '../../../contract/operations.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type BodyOptions, bodyFrom, type Flag, withBodyFlags } from '../../command-line/body-flags.ts'
import { fulfillmentRecord } from '../../views/orders.ts'

const flags: readonly Flag[] = [
  { path: 'qids', flag: 'qid', kind: 'list', about: 'an item; may be given several times' },
  { path: 'sku', about: 'or so many available items of this SKU' },
  { path: 'quantity', kind: 'number', about: 'how many of the SKU' },
  { path: 'shipping_address.recipient_name', about: 'who receives it', isRequired: true },
  { path: 'shipping_address.street', about: 'street and number', isRequired: true },
  { path: 'shipping_address.street_2', about: 'second line of the street' },
  { path: 'shipping_address.city', about: 'city', isRequired: true },
  { path: 'shipping_address.state', about: 'state or region', isRequired: true },
  { path: 'shipping_address.zip', about: 'postal code', isRequired: true },
  { path: 'shipping_address.country', about: 'country, two letters', isRequired: true },
  { path: 'type', about: 'standard or withdrawal (default: standard)' },
  { path: 'external_ref', about: 'your reference' },
  { path: 'special_instructions', about: 'for the warehouse' },
  { path: 'deliver_by', kind: 'date', about: 'date, as in 2026-12-24' },
]

export const command: CommandFile<[string | undefined, BodyOptions]> = {
  summary: 'order a shipment of items',
  details: 'From flags, or from a JSON file as the interface takes it; flags go over the file.',
  examples: [
    'fulfillments create --qid Q-7F3K-9M2P-X4TA --recipient-name "Grace Okafor" --street "2217 SE Alder Street" --city Portland --state OR --zip 97214 --country US',
    'fulfillments create order.json --external-ref WEB-20418',
  ],
  define: (create) => withBodyFlags(create, flags),
  view: () => fulfillmentRecord,
  run,
}

async function run(session: Session, file: string | undefined, options: BodyOptions): Promise<void> {
  const body = await bodyFrom(session.io, file, flags, options)
  const { client } = await session.targetToWrite()
  const { data } = await client.createFulfillment({
    body: body as BodyInput<'createFulfillment'>,
    idempotencyKey: options.idempotencyKey,
  })
  await (await session.printer()).one(data)
}
