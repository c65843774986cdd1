import { type Command, Option } from 'commander'
import type { Json } from '../../../contract/call.ts'
import type { Fulfillment, Transfer } from '../../../contract/resources/fulfillment.ts'
import type { ShippingLabel } from '../../../domain/fulfillments/fulfillment.ts'
import { slabName } from '../../../domain/graders/certificate.ts'
import { conflict } from '../../../domain/rejection.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { itemsOf } from '../../../engine/fulfillments/stock-allocation.ts'
import { moveTransfer } from '../../../engine/fulfillments/transfers.ts'
import {
  attachImagery,
  deliverFulfillment,
  labelFulfillment,
  packFulfillment,
  pickFulfillment,
  queueFulfillment,
  raiseIssue,
  resolveIssue,
  returnFulfillment,
  shipFulfillment,
  storeItem,
  verifyFulfillment,
} from '../../../engine/fulfillments/warehouse-shipping.ts'
import { heldSlabs } from '../../../engine/intake/held-slabs.ts'
import type { ItemRecord } from '../../../store/tables/items.ts'
import { confirmable } from '../../ask/ask.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Words } from '../../command.ts'
import { idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import type { View } from '../../output/columns.ts'
import { fulfillmentList, fulfillmentRecord, transferList, transferRecord } from '../../views/fulfillments.ts'
import { itemList, itemRecord } from '../../views/items.ts'
import { fulfillmentId, transferId } from './find.ts'
import { heldAs } from './scanner.ts'
import { forEach, inWarehouse, type NamedErrors, type PlaceOptions, placeOptions } from './warehouse-work.ts'

type Kind<Taken> = {
  argument: readonly [string, string]
  views: { one: View; many: View }
  find?: (work: UnitOfWork, given: string) => Promise<string>
  shown: (taken: Taken) => unknown
}

const items: Kind<ItemRecord> = {
  argument: ['<qid...>', 'The items; - for lines of stdin'],
  views: { one: itemRecord, many: itemList },
  shown: ({ item }) => item,
}

const fulfillments: Kind<Json<Fulfillment>> = {
  argument: ['<fulfillment...>', idsOrReferences],
  views: { one: fulfillmentRecord, many: fulfillmentList },
  find: fulfillmentId,
  shown: (taken) => JSON.parse(taken),
}

const transfers: Kind<Json<Transfer>> = {
  argument: ['<transfer...>', idsOrReferences],
  views: { one: transferRecord, many: transferList },
  find: transferId,
  shown: (taken) => JSON.parse(taken),
}

type Step<Taken, Options> = Words & {
  define?: (command: Command) => unknown
  question?: (names: readonly string[], options: Options) => string
  take: (work: UnitOfWork, id: string, options: Options) => Promise<Taken>
  check?: (work: UnitOfWork, taken: ReadonlyMap<string, Taken>, options: Options) => Promise<NamedErrors>
}

function stepOf<Taken, Options>(
  { argument: [name, about], views, find, shown }: Kind<Taken>,
  { define, question, take, check, ...words }: Step<Taken, Options>,
): CommandFile<[string[], Options & PlaceOptions]> {
  return {
    ...words,
    isOffline: true,
    define(command) {
      command.argument(name, about)
      if (question) confirmable(command)
      define?.(command)
      placeOptions(command)
    },
    view: (_format, given) => oneOrMany(given, views.one, views.many),
    async run(session, given, options) {
      const { names, isMany } = await namesFrom(session, given)
      const takeAll = async (work: UnitOfWork): Promise<unknown[]> => {
        const taken = await forEach(
          names,
          async (given) => take(work, find ? await find(work, given) : given, options),
          check && ((docs) => check(work, docs, options)),
        )
        return taken.map(shown)
      }
      const done = await inWarehouse(session, options, takeAll, question?.(names, options))
      const printer = await session.printer()
      if (!isMany) return printer.one(done[0])
      await printer.all(done)
    },
  }
}

export const digitize = stepOf(items, {
  summary: 'Record that items were photographed: received to digitized',
  examples: ['warehouse digitize Q-7F3K-9M2P-X4TA Q-2B6H-T8WZ-K1DE'],
  take: attachImagery,
})

export const store = stepOf(items, {
  summary: 'Record that items are on their shelves: digitized to available',
  examples: ['warehouse store Q-7F3K-9M2P-X4TA'],
  take: storeItem,
})

export const pick = stepOf(fulfillments, {
  summary: 'Record that an order is picked; the partner can no longer cancel',
  examples: ['warehouse pick SO-88231 SO-88232'],
  take: pickFulfillment,
})

export const pack = stepOf(fulfillments, {
  summary: 'Record that an order is packed',
  examples: ['warehouse pack SO-88231'],
  take: packFulfillment,
})

export const verify = stepOf(fulfillments, {
  summary: 'Record that the parcel was compared with the order',
  examples: ['warehouse verify SO-88231'],
  take: verifyFulfillment,
})

export const label = labelStep('label', {
  summary: "Record that the carrier's label is attached",
  details: "Production needs the label's data; a sandbox invents them.",
  take: labelFulfillment,
})

export const queue = labelStep('queue', {
  summary: 'Record that an order is ready for the carrier',
  details: 'It needs a label first.',
  take: queueFulfillment,
})

export const ship = labelStep('ship', {
  summary: 'Record that the carrier has an order: its items are in transit',
  details: 'It needs a label first.',
  take: shipFulfillment,
})

export const deliver = stepOf(fulfillments, {
  summary: 'Record that the carrier delivered an order',
  details: 'Its items become delivered, or withdrawn for a withdrawal.',
  examples: ['warehouse deliver SO-88231'],
  take: deliverFulfillment,
})

export const returned = stepOf<Json<Fulfillment>, { lint: boolean }>(fulfillments, {
  summary: 'Receive a returned fulfillment: its items are in custody again',
  details: 'Items keep their QIDs. This cannot be undone.',
  examples: ['warehouse return SO-88231 --yes'],
  define: (command) => command.option('--no-lint', 'Receive slabs that are in custody already'),
  question: (names) => `Receive the items of ${names.join(', ')} again?`,
  take: returnFulfillment,
  check: async (work, docs, { lint }) => (lint ? receivedAgain(work, docs) : new Map()),
})

async function receivedAgain(work: UnitOfWork, docs: ReadonlyMap<string, Json<Fulfillment>>) {
  const qidsOf = (doc: Json<Fulfillment>) => (JSON.parse(doc) as Fulfillment).qids
  const nameOf = new Map([...docs].flatMap(([name, doc]) => qidsOf(doc).map((qid) => [qid, name])))
  const qids = [...nameOf.keys()]
  const items = (await itemsOf(work, qids)).map(({ item }) => item)
  const faults = new Map<string, Error>()
  for (const slab of await heldSlabs(work, items, qids)) {
    const item = items[slab.at]
    if (!item) continue
    const name = nameOf.get(item.qid) ?? ''
    const why = 'before' in slab ? 'is returned twice' : `is already in custody${heldAs(slab)}`
    if (!faults.has(name)) faults.set(name, conflict(`${slabName(item)} ${why}.`))
  }
  return faults
}

type Issue = { code: string; message: string }

export const issue = stepOf<Json<Fulfillment>, Issue>(fulfillments, {
  summary: 'Record an issue: the fulfillment stops until it is resolved',
  details: 'The partner sees the code and the message. Resolve it with: custody warehouse resolve-issue',
  examples: [
    'warehouse issue SO-88231 --code address_undeliverable --message "The carrier refuses the address."',
  ],
  define: (issue) =>
    issue
      .requiredOption('--code <code>', 'Code for programs, as in damaged_in_transit')
      .requiredOption('--message <text>', 'Message for people'),
  take: (work, id, { code, message }) => raiseIssue(work, id, { code, message }),
})

export const resume = stepOf(fulfillments, {
  summary: 'Resolve an issue: the fulfillment continues',
  examples: ['warehouse resolve-issue SO-88231'],
  take: resolveIssue,
})

const outcomes = ['completed', 'declined'] as const

type Decision = { to: (typeof outcomes)[number] }

export const resolveTransfer = stepOf<Json<Transfer>, Decision>(transfers, {
  summary: 'Complete or decline a transfer',
  details: 'This cannot be undone.',
  examples: ['warehouse resolve-transfer SB-0304 --to completed --yes'],
  define: (resolve) =>
    resolve.addOption(new Option('--to <outcome>', 'The decision').choices(outcomes).makeOptionMandatory()),
  question: (ids, { to }) => `Set ${ids.join(', ')} to ${to}?`,
  take: (work, id, { to }) => moveTransfer(work, id, to),
})

type LabelOptions = {
  carrier?: string
  service?: string
  trackingNumber?: string
  trackingUrl?: string
}

/** One label is for one parcel, so it goes with one fulfillment only. */
function labelStep(
  verb: string,
  {
    take,
    ...step
  }: Pick<Step<Json<Fulfillment>, LabelOptions>, 'summary' | 'details'> & {
    take: (work: UnitOfWork, id: string, label: ShippingLabel | undefined) => Promise<Json<Fulfillment>>
  },
): CommandFile<[string[], LabelOptions & PlaceOptions]> {
  const command = stepOf<Json<Fulfillment>, LabelOptions>(fulfillments, {
    ...step,
    examples: ['', ' --carrier ups --service ups_ground --tracking-number 1Z999AA10123456784'].map(
      (flags) => `warehouse ${verb} SO-88231${flags}`,
    ),
    define: labelOptions,
    take: (work, id, options) => take(work, id, labelFrom(options)),
  })
  return {
    ...command,
    async run(session, names, options) {
      if ((labelFrom(options) !== undefined && names.length > 1) || names[0] === '-')
        throw usage('A label belongs to one fulfillment.', 'Run the command once for each.')
      return command.run(session, names, options)
    },
  }
}

function labelOptions(command: Command): Command {
  return command
    .optionsGroup('The label:')
    .option('--carrier <name>', 'Carrier, as in ups (a sandbox invents a label)')
    .option('--service <name>', 'Service, as in ups_ground')
    .option('--tracking-number <number>', 'Tracking number')
    .option('--tracking-url <url>', 'Tracking page')
}

function labelFrom(options: LabelOptions): ShippingLabel | undefined {
  const { carrier, service, trackingNumber, trackingUrl } = options
  const given = [carrier, service, trackingNumber, trackingUrl].filter((value) => value !== undefined)
  if (given.length === 0) return undefined
  if (!carrier || !service || !trackingNumber)
    throw usage('A label needs --carrier, --service, and --tracking-number.')
  if (trackingUrl !== undefined && !/^https?:\/\//.test(trackingUrl))
    throw usage(`--tracking-url: "${trackingUrl}" is not an address.`)
  return { carrier, service, tracking_number: trackingNumber, tracking_url: trackingUrl ?? null }
}
