import { webhookEvents, webhookEventTypes } from '../../enums.ts'
import type { CsvRepeatedRow, CsvRowError } from '../../resources/error.ts'
import type { Delivery, Subscription, WebhookEvent } from '../../resources/event.ts'
import type { Fulfillment, Transfer } from '../../resources/fulfillment.ts'
import type { IntakeEvent, Item } from '../../resources/item.ts'
import type {
  ExpectedLine,
  Manifest,
  ManifestLine,
  ManifestReport,
  Reconciliation,
} from '../../resources/manifest.ts'
import type { Product } from '../../resources/product.ts'
import { ids, qids } from '../../sample-ids.ts'

export { ids, qids }

/** All examples of the document tell one story: a buy sheet from a card show, its arrivals and its shipments. */

const day = '2026-03-'
const bought = `${day}04T10:20:31.904Z`
export const arrived = `${day}06T15:02:44.118Z`
const shelved = `${day}06T18:40:09.530Z`
const ordered = `${day}06T19:55:12.007Z`
export const shipped = `${day}07T16:21:50.662Z`

export const product: Product = {
  product_id: ids.product,
  name: 'Pokémon Scarlet & Violet 151 Elite Trainer Box',
  sku: 'PKM-151-ETB',
  upc: '820650853227',
  image_url: 'https://cdn.partner.example/pkm-151-etb.webp',
  dimensions: { height: 3.6, length: 7.7, width: 6.9, unit: 'in' },
  weight: { value: 36.2, unit: 'oz' },
  created_at: `${day}02T14:05:09.120Z`,
  updated_at: `${day}02T14:05:09.120Z`,
}

/** The result of a file with this product and one that is already in the catalog. */
export const productResult = {
  created: [product],
  errors: [
    {
      row: 2,
      code: 'state_conflict' as const,
      fields: { sku: ['"PKM-151-BUN" is already in the catalog'] },
      message: 'sku "PKM-151-BUN" is already in the catalog.',
    },
  ],
  totals: { created: 1, failed: 1, submitted: 2 },
}

export const manifest: Manifest = {
  id: ids.manifest,
  reference: 'PO-1043',
  source: 'card_show',
  status: 'submitted',
  expected_arrival_start: '2026-03-05',
  expected_arrival_end: '2026-03-09',
  line_count: 2,
  created_at: bought,
}

export const slabLine: ManifestLine = {
  id: ids.slabLine,
  external_ref: 'BS-1043-001',
  description: '1999 Pokemon Base Set Charizard Holo #4',
  grader: 'PSA',
  cert_number: '65936798',
  quantity: 1,
  status: 'matched',
  matched_qids: [qids.slab],
  sku: null,
}

export const boxLine: ManifestLine = {
  id: ids.boxLine,
  external_ref: 'BS-1043-002',
  description: 'Pokémon 151 Elite Trainer Box',
  grader: null,
  cert_number: null,
  quantity: 2,
  status: 'expected',
  matched_qids: [qids.box],
  sku: product.sku,
}

export const newLines: ManifestLine[] = [slabLine, boxLine].map((line) => ({
  ...line,
  status: 'expected',
  matched_qids: [],
}))

export const expectedLine: ExpectedLine = {
  ...(newLines[0] as ManifestLine),
  manifest_id: ids.manifest,
  reference: manifest.reference,
  expected_arrival_end: manifest.expected_arrival_end,
}

/** The lines after the manifest was closed: one of the two boxes never arrived. */
export const closedLines: ManifestLine[] = [slabLine, { ...boxLine, status: 'missing' }]

export const reconciliation: Reconciliation = {
  manifest_id: ids.manifest,
  generated_at: `${day}10T09:00:00.000Z`,
  totals: { expected: 3, matched: 2, missing: 1, unexpected: 1, condition_mismatch: 0 },
}

export const report: ManifestReport = {
  manifest_id: ids.manifest,
  reference: manifest.reference,
  status: 'reconciled',
  generated_at: reconciliation.generated_at,
  totals: reconciliation.totals,
  lines: [
    {
      ...slabLine,
      received_quantity: 1,
      difference: 0,
      condition_flags: [],
      match_key: 'cert_number',
      match_score: 1,
    },
    {
      ...boxLine,
      status: 'missing',
      received_quantity: 1,
      difference: -1,
      condition_flags: [],
      match_key: 'sku',
      match_score: 1,
    },
  ],
  unexpected: [
    {
      qid: qids.flagged,
      name: '1999 Pokemon Base Set Blastoise Holo #2',
      sku: 'GS-PSA-8-3PCJH7CY',
      cert_number: '64824374',
      intake_at: arrived,
      condition_flags: ['cracked_case'],
    },
  ],
}

export const slab = {
  qid: qids.slab,
  type: 'graded_slab',
  name: '1999 Pokemon Base Set Charizard Holo #4',
  sku: 'GS-PSA-9-7M2KX0QD',
  status: 'available',
  category: 'pokemon',
  set: 'Base Set',
  card_number: '4',
  external_ref: 'BS-1043-001',
  manifest_line_id: ids.slabLine,
  active_fulfillment_id: null,
  image_assets: [
    {
      variant: 'front',
      url: `https://cdn.custody.example/items/${qids.slab}/front.webp`,
      width: 1500,
      height: 2500,
      format: 'webp',
    },
  ],
  intake_at: arrived,
  updated_at: shelved,
  model_3d: null,
  cert_number: '65936798',
  grade: '9',
  grader: 'PSA',
} satisfies Item

export const box = {
  qid: qids.box,
  type: 'product',
  name: product.name,
  sku: product.sku,
  status: 'in_fulfillment',
  category: 'sealed',
  set: 'Scarlet & Violet 151',
  card_number: '151-ETB',
  external_ref: 'BS-1043-002',
  manifest_line_id: ids.boxLine,
  active_fulfillment_id: ids.fulfillment,
  image_assets: [
    {
      variant: 'front',
      url: 'https://cdn.partner.example/pkm-151-etb.webp',
      width: 1200,
      height: 1200,
      format: 'webp',
    },
  ],
  intake_at: arrived,
  updated_at: ordered,
  model_3d: null,
  cert_number: null,
  grade: null,
  grader: null,
} satisfies Item

export const intake: IntakeEvent = {
  qid: qids.slab,
  intake_at: arrived,
  manifest_id: ids.manifest,
  manifest_line_id: ids.slabLine,
  condition_flags: ['label_mismatch'],
  item: { ...slab, status: 'received', image_assets: [], updated_at: arrived },
}

export const address = {
  recipient_name: 'Grace Okafor',
  street: '2217 SE Alder Street',
  street_2: 'Apt 4',
  city: 'Portland',
  state: 'OR',
  zip: '97214',
  country: 'US',
}

export const secondAddress = {
  recipient_name: 'Brendan Doyle',
  street: '61 Franklin Street',
  city: 'Boston',
  state: 'MA',
  zip: '02134',
  country: 'US',
}

export const pending: Fulfillment = {
  id: ids.fulfillment,
  qids: [qids.box],
  status: 'pending',
  processing_stage: null,
  shipping_address: address,
  carrier: null,
  service: null,
  tracking_number: null,
  tracking_url: null,
  issue: null,
  external_ref: 'WEB-20418',
  created_at: ordered,
  updated_at: ordered,
  type: 'standard',
  special_instructions: 'Signature required.',
  deliver_by: '2026-03-12',
  verified_address_id: null,
}

export const issue = {
  code: 'address_undeliverable',
  message: 'The carrier does not know this street.',
  occurred_at: shipped,
}

export const labeled: Fulfillment = {
  ...pending,
  status: 'processing',
  processing_stage: 'labeled',
  carrier: 'usps',
  service: 'usps_ground_advantage',
  tracking_number: '9400111202555842332618',
  tracking_url: 'https://tracking.custody.example/usps/9400111202555842332618',
  updated_at: shipped,
}

export const stopped: Fulfillment = { ...labeled, status: 'exception', processing_stage: null, issue }

export const transfer: Transfer = {
  id: ids.transfer,
  qids: [qids.slab],
  status: 'requested',
  type: 'sell_back',
  external_ref: 'SB-77',
  created_at: shipped,
  updated_at: shipped,
}

export const repeatedRow: CsvRepeatedRow = {
  row: 1,
  id: ids.fulfillment,
  status: 'shipped',
  created_at: '2026-03-06T14:40:00.000Z',
  by: 'reference',
}

export const rowError: CsvRowError = {
  row: 3,
  code: 'validation_error',
  fields: { sku: ['"PKM-151-XXX" is not in the catalog: create the product first, or correct the SKU'] },
  message: 'sku "PKM-151-XXX" is not in the catalog: create the product first, or correct the SKU.',
}

export const subscription: Subscription = {
  id: ids.subscription,
  url: 'https://hooks.partner.example/custody',
  event_types: ['item.intake.completed', 'fulfillment.status.changed'],
  active: true,
  created_at: '2026-03-02T14:05:09.120Z',
}

export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2tZ3Y0qVb2k='

export const delivery: Delivery = {
  id: ids.delivery,
  event_id: ids.event,
  event_type: 'item.intake.completed',
  status: 'pending',
  attempts: 1,
  response_code: 502,
  last_error: 'The receiver answered 502.',
  last_attempt_at: arrived,
  next_attempt_at: '2026-03-06T15:02:49.118Z',
  created_at: arrived,
}

const eventData = {
  intake: [arrived, intake],
  item: [shelved, slab],
  fulfillment: [ordered, pending],
  reconciliation: [reconciliation.generated_at, reconciliation],
  transfer: [shipped, transfer],
} as const

export const events = Object.fromEntries(
  webhookEventTypes.map((type) => {
    const { data: about, ...sample } = webhookEvents[type]
    const [at, example] = eventData[about]
    const data = 'status' in sample ? standing(example, sample.status) : example
    const created_at = data === example ? at : shipped
    return [type, { id: ids.event, created_at, type, data }]
  }),
) as { [Type in WebhookEvent['type']]: Extract<WebhookEvent, { type: Type }> }

function standing(example: object, status: string): object {
  if (status === 'exception') return stopped
  return example === pending ? { ...labeled, status, processing_stage: null } : { ...example, status }
}
