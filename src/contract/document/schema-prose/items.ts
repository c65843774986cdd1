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
import { object, oneOf, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

const statuses = {
  received: 'arrived, not yet photographed',
  digitized: 'photographed, not yet on its shelf',
  available: 'on its shelf, free to be ordered',
  in_fulfillment: 'reserved by an order',
  in_transit: 'on its way to its recipient',
  delivered: 'delivered to its recipient',
  pending_transfer: 'reserved by a transfer',
  released: 'sold back',
  withdrawn: 'sent back to its owner',
}

const common = {
  qid: 'Identifies one physical item for its lifetime. Opaque: URL-encode it and do not validate it.',
  type: 'Its kind.',
  name: 'Its name, as customers know it.',
  sku: 'The SKU in your catalog; for a slab, the SKU that equal slabs share.',
  status: 'Its status.',
  category: 'Its category; missing if there is none.',
  set: "The card's set.",
  card_number: 'The number of the card in its set.',
  external_ref: 'Your reference, from the manifest line it matched.',
  manifest_line_id: 'The manifest line that it matched at intake.',
  active_fulfillment_id: 'The fulfillment that currently reserves it.',
  image_assets: "Pictures of this slab, or of the catalog's product.",
  intake_at: 'When it was received.',
  updated_at: 'When it last changed.',
  model_3d: 'Reserved: always null.',
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
export const summaryExample = { total: 263, by_status: counts }

export const itemSchemas: Record<string, SchemaProse> = {
  ItemType: words(vocabulary.itemType(), 'The kind of an item.', {
    graded_slab: 'a graded card in its case, unique',
    product: 'a unit of a catalog product',
  }),
  ItemStatus: words(
    vocabulary.itemStatus(),
    'The status of an item. Statuses may be added within v1: accept unknown ones.',
    statuses,
  ),
  KnownItemStatus: words(
    vocabulary.knownItemStatus(),
    'The item statuses that can be filtered by.',
    statuses,
  ),
  ImageVariant: words(vocabulary.imageVariant(), 'What a picture shows.', {
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
      variant: 'The side it shows, or the label.',
      url: 'Its permanent address.',
      width: 'Pixels across.',
      height: 'Pixels down.',
      format: 'Its format.',
    },
    example.slab.image_assets[0] as (typeof example.slab.image_assets)[0],
  ),
  Item: oneOf(
    item(),
    'A physical item that is, or was, in custody. `type` distinguishes the two kinds.',
    example.slab,
    example.box,
  ),
  GradedSlabItem: object(
    slabItem(),
    'A graded card in its case.',
    {
      ...common,
      cert_number: 'The certificate on its label.',
      grade: 'Its grade, as on the label.',
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
    'The arrival of an item, as it was at that moment.',
    {
      qid: 'Identifies the item.',
      intake_at: 'When it was received.',
      manifest_id: 'The manifest it arrived with.',
      manifest_line_id: 'The line it matched.',
      condition_flags:
        'What intake found wrong, such as `cracked_case`, `label_mismatch`, `cert_mismatch`, `grade_mismatch`, `damaged`, `wrong_item`. Other values are possible. Empty if nothing is wrong.',
      item: 'The item as it was then.',
    },
    example.intake,
  ),
  IntakeEventPage: describedPage(intakeEvent(), 'intakes', example.intake),
  ItemSummary: object(
    itemSummary(),
    'The number of items.',
    { total: 'All items, in any status.', by_status: 'The number of items in each status.' },
    summaryExample,
  ),
  ItemCounts: object(
    itemCounts(),
    'Items by status. New statuses may be added within v1.',
    {
      received: 'Items that arrived and are not yet photographed.',
      digitized: 'Items that are photographed and not yet on their shelf.',
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
