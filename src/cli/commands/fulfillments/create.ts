import type { Client } from '../../../client/client.ts'
import type { BodyInput } from '../../../contract/operations.ts'
import { CliError } from '../../base/cli-error.ts'
import { noticedTime } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type BodyOptions, bodyFrom, type Flag, withBodyFlags } from '../../command-line/body-flags.ts'
import type { Target } from '../../connection/target-type.ts'
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

type Options = BodyOptions & { again?: boolean }

export const command: CommandFile<[string | undefined, Options]> = {
  summary: 'order a shipment of items',
  details:
    'From flags, or from a JSON file as the interface takes it; flags go over the file. Units of a SKU that were ordered just so before, with the same external_ref, are not ordered again: exit 5 names that order, unless it was cancelled; --again orders on purpose.',
  examples: [
    'fulfillments create --qid Q-7F3K-9M2P-X4TA --recipient-name "Grace Okafor" --street "2217 SE Alder Street" --city Portland --state OR --zip 97214 --country US',
    'fulfillments create order.json --external-ref WEB-20418',
  ],
  define: (create) =>
    withBodyFlags(create, flags).option('--again', 'order anew on purpose what was ordered before'),
  view: () => fulfillmentRecord,
  run,
}

async function run(session: Session, file: string | undefined, options: Options): Promise<void> {
  const body = await bodyFrom(session.io, file, flags, options)
  const target = await session.targetToWrite()
  const order = () =>
    target.client.createFulfillment({
      body: body as BodyInput<'createFulfillment'>,
      idempotencyKey: options.idempotencyKey,
    })
  // With a key it is a retry, and the same key orders nothing twice.
  const isLookedFor = !options.again && options.idempotencyKey === undefined
  const { data } = await (isLookedFor ? unlessOrdered(session, target, body, order) : order())
  await (await session.printer()).one(data)
}

/** Orders what is not ordered yet. Two processes take turns, else both would look before either has ordered. */
async function unlessOrdered<T>(
  session: Session,
  { client, identity }: Pick<Target, 'client' | 'identity'>,
  body: Record<string, unknown>,
  order: () => Promise<T>,
): Promise<T> {
  const { external_ref, sku } = body
  if (typeof external_ref !== 'string' || sku === undefined) return order()
  const { lockReference } = await import('../../imports/journal/import-lock.ts')
  const { importsFolder } = await import('../../imports/journal/journal.ts')
  // Where nothing can be kept, an order is made all the same.
  const unlock = await lockReference(
    importsFolder(session.io.env),
    identity,
    external_ref,
    session.notice,
  ).catch(() => () => {})
  try {
    await refuseTwice(session, client, body)
    return await order()
  } finally {
    unlock()
  }
}

async function refuseTwice({ io }: Session, client: Client, body: unknown): Promise<void> {
  const { sameOrder } = await import('../../imports/earlier/same-order.ts')
  const order = await sameOrder(client, body)
  if (order === undefined) return
  const { id, status, external_ref, created_at } = order
  const words = `${external_ref} was ordered just so before (order ${id} of ${noticedTime(io, created_at)}, ${status})`
  throw new CliError('conflict', `${words}; nothing was ordered.`, { hint: '--again orders it once more.' })
}
