import { slabsPerCertMax } from '../../limits.ts'
import type { itemOperations } from '../../operations/items.ts'
import {
  imageAsset,
  intakeEvent,
  item,
  itemCounts,
  itemSummary,
  productItem,
  slabItem,
} from '../../resources/item.ts'
import * as vocabulary from '../../vocabulary.ts'
import { type DescribedOperations, object, oneOf, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

const statuses = {
  received: 'arrived, not yet photographed',
  digitized: 'photographed, not yet on its shelf',
  available: 'on its shelf and available to order',
  in_fulfillment: 'reserved by an order',
  in_transit: 'on its way to the recipient',
  delivered: 'delivered to the recipient',
  pending_transfer: 'reserved by a transfer',
  released: 'sold back',
  withdrawn: 'sent back to its owner',
}

const common = {
  qid: 'Identifies one physical item for its lifetime. Treat it as opaque: URL-encode it, and do not validate it.',
  type: 'The kind of item.',
  name: 'The name of the item, as customers know it.',
  sku: 'The SKU in your catalog. For a slab: a SKU shared by all equal slabs.',
  status: 'The status of the item.',
  category: 'The category of the item; missing if it has none.',
  set: 'The set the card belongs to.',
  card_number: 'The card number within the set.',
  external_ref: 'Your reference, from the manifest line that the item matched.',
  manifest_line_id: 'The manifest line that the item matched at intake.',
  active_fulfillment_id: 'The fulfillment that currently reserves the item.',
  image_assets: 'Pictures of the slab, or of the catalog product.',
  intake_at: 'When the item was received.',
  updated_at: 'When the item last changed.',
  model_3d: 'Reserved; always null.',
}

const summary = { available: 210, in_fulfillment: 12, in_transit: 4, delivered: 31 }
const counts = {
  received: 3,
  digitized: 0,
  ...summary,
  pending_transfer: 1,
  released: 2,
  withdrawn: 0,
}
const summaryExample = { total: 263, by_status: counts }

export const itemSchemas: Record<string, SchemaProse> = {
  ItemType: words(vocabulary.itemType(), 'The kind of an item.', {
    graded_slab: 'a graded card in its case; each one is unique',
    product: 'a unit of a catalog product',
  }),
  ItemStatus: words(
    vocabulary.itemStatus(),
    'The status of an item. New statuses may be added within v1, so accept unknown values.',
    statuses,
  ),
  KnownItemStatus: words(vocabulary.knownItemStatus(), 'The item statuses that you can filter by.', statuses),
  ImageVariant: words(vocabulary.imageVariant(), 'The part of the item that a picture shows.', {
    front: 'the front',
    back: 'the back',
    label: 'the label of a slab',
  }),
  ImageFormat: words(vocabulary.imageFormat(), 'The format of a picture.', {
    webp: 'WebP',
    jpeg: 'JPEG',
    png: 'PNG',
  }),
  ImageAsset: object(
    imageAsset(),
    'A picture of an item.',
    {
      variant: 'The side that the picture shows, or the label.',
      url: 'The permanent URL of the picture.',
      width: 'Width in pixels.',
      height: 'Height in pixels.',
      format: 'The format of the picture.',
    },
    example.slab.image_assets[0] as (typeof example.slab.image_assets)[0],
  ),
  Item: oneOf(
    item(),
    'A physical item that is, or was, in custody. `type` tells a slab from a product.',
    example.slab,
    example.box,
  ),
  GradedSlabItem: object(
    slabItem(),
    'A graded card in its case.',
    {
      ...common,
      cert_number: 'The certificate number on the label.',
      grade: 'The grade on the label.',
      grader: 'The grading company.',
    },
    example.slab,
    { ...example.slab, active_fulfillment_id: example.ids.fulfillment },
  ),
  ProductItem: object(
    productItem(),
    'A unit of a catalog product.',
    {
      ...common,
      cert_number: 'Always null: a product has no certificate.',
      grade: 'Always null: a product has no grade.',
      grader: 'Always null: a product has no grader.',
    },
    example.box,
  ),
  ItemPage: describedPage(item(), 'items', example.slab),
  IntakeEvent: object(
    intakeEvent(),
    'The arrival of an item, recorded as it was at that moment.',
    {
      qid: 'Identifies the item.',
      intake_at: 'When the item was received.',
      manifest_id: 'The manifest that the item arrived with.',
      manifest_line_id: 'The manifest line that the item matched.',
      condition_flags:
        'Problems found at intake, such as `cracked_case`, `label_mismatch`, `cert_mismatch`, `grade_mismatch`, `damaged`, `wrong_item`. Other values are possible. Empty if there were none.',
      item: 'The item as it was at intake.',
    },
    example.intake,
  ),
  IntakeEventPage: describedPage(intakeEvent(), 'intakes', example.intake),
  ItemSummary: object(
    itemSummary(),
    'The number of items, in total and by status.',
    { total: 'All items, in any status.', by_status: 'The number of items in each status.' },
    summaryExample,
  ),
  ItemCounts: object(
    itemCounts(),
    'The number of items in each status. New statuses may be added within v1.',
    {
      received: 'Items that arrived and are not photographed yet.',
      digitized: 'Items that are photographed and not on their shelf yet.',
      available: 'Items that can be ordered.',
      in_fulfillment: 'Items reserved by an order.',
      in_transit: 'Items in transit.',
      delivered: 'Items delivered to their recipients.',
      pending_transfer: 'Items reserved by a transfer.',
      released: 'Items sold back.',
      withdrawn: 'Items sent back to their owner.',
    },
    counts,
  ),
}

export const itemsProse: DescribedOperations<keyof typeof itemOperations> = {
  listItems: {
    description:
      'Lists items in custody: on a shelf, in an order, or in transit. Delivered, released, and withdrawn items are listed only if you filter by their `status`.',
    answer: example.slab,
  },
  getItem: {
    description:
      'Returns an item in any status. A QID that is unknown, or belongs to another partner, returns 404.',
    answer: example.box,
  },
  getItemSummary: {
    description: 'Counts items by status, including items that have left.',
    answer: summaryExample,
  },
  listIntakes: {
    description:
      'Lists arrivals, newest first. Each shows the item as it was at that moment, byte for byte as in the `item.intake.completed` event.',
    answer: example.intake,
  },
  findSlabs: {
    description: `Finds items in any status, and open manifest lines, by certificate, of any grader: at most ${slabsPerCertMax} of each, items in custody first.`,
    answer: { items: [example.slab], lines: [example.expectedLine] },
  },
  advanceItem: {
    description:
      'Moves a sandbox item to a status by the shortest legal path. Each step does the same as in production: it creates the fulfillment or transfer that it needs, and emits every event. Sandbox only; 404 in production.',
    requests: {
      'Put it on its shelf': { to_status: 'available' },
      'Deliver it to its recipient': { to_status: 'delivered' },
    },
    answer: example.slab,
  },
}
