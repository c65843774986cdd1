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
import * as example from '../telling/examples.ts'
import { object, oneOf, type Told, words } from '../telling/told.ts'
import { pageTold } from './envelope.ts'

const statuses = {
  received: 'arrived, not photographed yet',
  digitized: 'photographed, not on its shelf yet',
  available: 'on its shelf, free to be ordered',
  in_fulfillment: 'an order holds it',
  in_transit: 'on its way to its recipient',
  delivered: 'its recipient has it',
  pending_transfer: 'a transfer holds it',
  released: 'sold back',
  withdrawn: 'sent back to its owner',
}

const common = {
  qid: 'Names one physical item for as long as it is known. Opaque: encode it in a path and take it as it is.',
  type: 'Which of the two kinds it is.',
  name: 'What it is called, as a customer would read it.',
  sku: 'The SKU in your catalog; of a slab, the SKU of its card in its grade.',
  status: 'Where it stands.',
  category: 'Its category; left out where there is none.',
  set: 'The set that the card is from.',
  card_number: 'The number of the card in its set.',
  external_ref: 'Your own name for it, from the manifest line that it matched.',
  manifest_line_id: 'The manifest line that it matched at intake.',
  active_fulfillment_id: 'The fulfillment that holds it now.',
  image_assets: 'Pictures: of this very slab, or of the product in the catalog.',
  intake_at: 'When it was taken in.',
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

export const itemSchemas: Record<string, Told> = {
  ItemType: words(vocabulary.itemType(), 'The kind of an item.', {
    graded_slab: 'a graded card in its case, one of a kind',
    product: 'a unit of a catalog product',
  }),
  ItemStatus: words(
    vocabulary.itemStatus(),
    'Where an item stands. Words may be added within v1: take an unknown one as it is.',
    statuses,
  ),
  KnownItemStatus: words(
    vocabulary.knownItemStatus(),
    'The statuses of items that can be asked for today.',
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
      variant: 'What it shows.',
      url: 'Where it is, for good.',
      width: 'Pixels across.',
      height: 'Pixels down.',
      format: 'Its format.',
    },
    example.slab.image_assets[0] as (typeof example.slab.image_assets)[0],
  ),
  Item: oneOf(
    item(),
    'A physical item that the warehouse holds, or held. `type` tells the two kinds apart.',
    example.slab,
    example.box,
  ),
  GradedSlabItem: object(
    slabItem(),
    'A graded card in its case.',
    {
      ...common,
      cert_number: 'The certificate on its label.',
      grade: 'Its grade, as the label has it.',
      grader: 'Who graded it.',
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
  ItemPage: pageTold(item(), 'items', example.slab),
  IntakeEvent: object(
    intakeEvent(),
    'The arrival of an item, as it was at that moment.',
    {
      qid: 'Names the item.',
      intake_at: 'When it was taken in.',
      manifest_id: 'The manifest with which it came.',
      manifest_line_id: 'The line that it matched.',
      condition_flags:
        'What was found to be wrong with it, as in `cracked_case`, `label_mismatch`, `cert_mismatch`, `grade_mismatch`, `damaged`, `wrong_item`. Other words are possible. Empty where it is clean.',
      item: 'The item as it was then.',
    },
    example.intake,
  ),
  IntakeEventPage: pageTold(intakeEvent(), 'intakes', example.intake),
  ItemSummary: object(
    itemSummary(),
    'How many items there are.',
    { total: 'All of them, whatever their status.', by_status: 'How many have each status.' },
    summaryExample,
  ),
  ItemCounts: object(
    itemCounts(),
    'Items by status. A status that is new within v1 may be here too.',
    {
      received: 'Items that arrived and are not photographed yet.',
      digitized: 'Items that are photographed and not on their shelf yet.',
      available: 'Items that can be ordered.',
      in_fulfillment: 'Items that an order holds.',
      in_transit: 'Items on their way.',
      delivered: 'Items that their recipients have.',
      pending_transfer: 'Items that a transfer holds.',
      released: 'Items sold back.',
      withdrawn: 'Items sent back to their owner.',
    },
    counts,
  ),
}
