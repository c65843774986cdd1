import { fulfillmentStatuses } from '../../../contract/enums.ts'
import type { BodyInput } from '../../../contract/operations.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import { planCancel } from '../../../domain/fulfillments/fulfillment.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { noticedTime } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import {
  type BodyOptions,
  bodyFrom,
  collect,
  type Flag,
  withBodyFlags,
} from '../../command-line/body-flags.ts'
import { namingUnknown } from '../../find/by-key.ts'
import { findFulfillmentId } from '../../find/find-by-reference.ts'
import { cancelCommand } from '../../list/several.ts'
import { fulfillmentList, fulfillmentRecord } from '../../views/fulfillments.ts'

const flags: readonly Flag[] = [
  { path: 'qids', flag: 'qid', kind: 'list', about: 'QID of an item; repeatable' },
  { path: 'quantity', kind: 'number', about: 'Quantity of one --sku; for several: --sku BOX:2 --sku CASE' },
  { path: 'shipping_address.recipient_name', about: 'Recipient', isRequired: true },
  { path: 'shipping_address.street', about: 'Street and number', isRequired: true },
  { path: 'shipping_address.street_2', about: 'Second address line' },
  { path: 'shipping_address.city', about: 'City', isRequired: true },
  { path: 'shipping_address.state', about: 'State or region', isRequired: true },
  { path: 'shipping_address.zip', about: 'Postal code', isRequired: true },
  { path: 'shipping_address.country', about: 'Country code of two letters', isRequired: true },
  { path: 'type', about: 'Type: standard or withdrawal (default: standard)' },
  { path: 'external_ref', about: 'Your reference' },
  { path: 'special_instructions', about: 'Instructions for the warehouse' },
  { path: 'deliver_by', kind: 'date', about: 'Date, as in 2026-12-24' },
]

type Options = BodyOptions & { again?: boolean; sku?: string[]; qid?: string[] }

export const create: CommandFile<[string | undefined, Options]> = {
  summary: 'Order a fulfillment',
  details:
    "Takes flags, or a JSON file in the interface's form; flags override the file. Several --sku and --qid make one parcel. An order with the same external_ref as an earlier one is not placed again: the command exits 5 and names it. Only an order of a single --qid, or of one --sku with --quantity, may share its external_ref with others of its kind, as rows of a CSV file may.",
  examples: [
    'fulfillments create --qid Q-7F3K-9M2P-X4TA --recipient-name "Grace Okafor" --street "2217 SE Alder Street" --city Portland --state OR --zip 97214 --country US',
    'fulfillments create address.json --sku PKM-151-ETB:2 --sku PKM-SV01-BB --external-ref WEB-20419',
    'fulfillments create order.json --external-ref WEB-20418',
  ],
  define: (create) =>
    withBodyFlags(
      create.option('--sku <sku>', 'Available items of a SKU, as in BOX or BOX:2; repeatable', collect),
      flags,
    ).option('--again', 'Order again even if it was ordered before'),
  view: () => fulfillmentRecord,
  async run(session, file, options) {
    const body = await bodyFrom(session.io, file, flags, options)
    nameItems(body, options)
    const target = await session.targetToWrite()
    const created = target.client.createFulfillment({
      body: body as BodyInput<'createFulfillment'>,
      idempotencyKey: options.idempotencyKey,
      repeats: options.again ? undefined : 'skip',
    })
    const { data, headers } = await namingUnknown(target.client, options.qid ?? [], created)
    if (headers['custody-repeated'] === 'true') throw repeated(session, data)
    await (await session.printer()).one(data)
  },
}

/** `--sku BOX:2 --sku CASE --qid Q-...` are lines of one order; `--sku BOX --quantity 2` is the API's own form. */
function nameItems(body: Record<string, unknown>, { sku = [], qid = [] }: Options): void {
  const [only] = sku
  if (only === undefined) return
  if (sku.length === 1 && qid.length === 0 && body.quantity !== undefined) {
    body.sku = only
    return
  }
  if (body.quantity !== undefined)
    throw usage('--quantity is for one --sku.', 'Give each its own quantity: --sku BOX:2 --sku CASE:1')
  delete body.qids
  body.lines = [...sku.map(skuLine), ...qid.map((one) => ({ qid: one }))]
}

/** `BOX:2`, or `BOX` for one. A SKU may contain colons itself. */
function skuLine(text: string): { sku: string; quantity: number } {
  const [, sku = text, quantity = '1'] = /^(.+):(\d{1,9})$/.exec(text) ?? []
  return { sku, quantity: Number(quantity) }
}

function repeated({ io }: Session, { id, status, external_ref, created_at }: Fulfillment): CliError {
  const words = `${external_ref ?? 'This'} was ordered before (order ${id} of ${noticedTime(io, created_at)}, ${status}); nothing was ordered.`
  return new CliError('conflict', words, {
    hint: 'If this is another order, give it its own --external-ref.',
  })
}

export const cancel = cancelCommand(
  {
    noun: 'fulfillment',
    record: fulfillmentRecord,
    list: fulfillmentList,
    find: findFulfillmentId,
    read: (client, fulfillment_id) => client.getFulfillment({ params: { fulfillment_id } }),
    cancel: (client, fulfillment_id, idempotencyKey) =>
      client.cancelFulfillment({ params: { fulfillment_id }, idempotencyKey }),
    rejectLate(fulfillment) {
      if (!fulfillmentStatuses.includes(fulfillment.status)) return
      planCancel({ ...fulfillment, has_shipped: false, interrupted_stage: null })
    },
  },
  {
    summary: 'Cancel fulfillments before they are picked',
    details: 'Their items become available again.',
    examples: ['fulfillments cancel WEB-20418', 'fulfillments cancel WEB-20418 WEB-20419 --yes'],
  },
)
