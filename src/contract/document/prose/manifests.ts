import { closeGraceDaysDefault } from '../../limits.ts'
import type { manifestOperations } from '../../operations/manifests.ts'
import * as manifests from '../../resources/manifest.ts'
import * as vocabulary from '../../vocabulary.ts'
import {
  type DescribedOperations,
  type LinkProse,
  link,
  object,
  type SchemaProse,
  words,
} from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

export const manifestFields = {
  external_ref: 'Your reference for the expected item; copied to the item that matches.',
  description:
    'A description of the expected item, in your own words. Used for matching if the line has neither a certificate nor a SKU.',
  grader: "The slab's grading company, such as PSA or BGS.",
  cert_number: 'The certificate number of the slab. The strongest key for matching arrivals.',
  quantity: 'The number of expected units.',
  sku: 'For a line of catalog products: the SKU in your catalog.',
}

const answeredLine = {
  ...manifestFields,
  id: 'Identifies the line.',
  status: 'The result of the line.',
  matched_qids: 'The items that matched the line, including flagged ones.',
}

const sheet = {
  reference: 'Your reference for the purchase, such as an order number or the id of a buy sheet.',
  source: 'Where you made the purchase; missing if not given.',
  expected_arrival_start: 'The first day on which the purchase may arrive.',
  expected_arrival_end: `The last day on which the purchase may arrive. The manifest closes automatically ${closeGraceDaysDefault} days later.`,
}

const manifestWords = {
  ...sheet,
  id: 'Identifies the manifest.',
  status: 'The status of the manifest.',
  line_count: 'The number of lines.',
  created_at: 'When the manifest was submitted.',
}

const { manifest, newLines, closedLines, slabLine, boxLine, report, rowError } = example
const slabCreate = {
  external_ref: slabLine.external_ref,
  description: slabLine.description,
  grader: slabLine.grader,
  cert_number: slabLine.cert_number,
}
const boxCreate = {
  external_ref: boxLine.external_ref,
  description: boxLine.description,
  sku: boxLine.sku,
  quantity: boxLine.quantity,
}

const { reference, expected_arrival_start, expected_arrival_end } = manifest
const source = 'card_show' as const
const window = { expected_arrival_start, expected_arrival_end }
const manifestCreate = { reference, source, ...window, lines: [slabCreate, boxCreate] }
const closed = { ...manifest, status: 'reconciled' as const, lines: closedLines }
const csvResult = {
  manifest,
  created: newLines,
  errors: [rowError],
  totals: { created: 2, failed: 1, submitted: 3 },
}
const taken = {
  message: 'A manifest with this reference and other lines already exists.',
  extra: { manifest_id: manifest.id, created_at: manifest.created_at, status: manifest.status },
}

export const manifestSchemas: Record<string, SchemaProse> = {
  ManifestSource: words(vocabulary.manifestSource(), 'Where a purchase was made.', {
    card_show: 'at a card show',
    marketplace: 'on a marketplace',
    distributor: 'from a distributor',
    other: 'anywhere else',
  }),
  ManifestStatus: words(vocabulary.manifestStatus(), 'The status of a manifest.', {
    submitted: 'open; nothing has arrived yet',
    receiving: 'open; items are arriving and are matched to its lines',
    reconciled: 'closed; its report is final',
  }),
  ManifestLineStatus: words(vocabulary.lineStatus(), 'The result of a line.', {
    expected: 'not all of its units have arrived',
    matched: 'all of its units have arrived without a flag',
    missing: 'the manifest was closed before all of its units had arrived',
    condition_mismatch: 'at least one of its units was flagged at intake',
  }),
  MatchKey: words(vocabulary.matchKey(), 'How an arrival was matched to a line, strongest first.', {
    cert_number: 'by certificate, and by grader if both sides name one',
    sku: 'by the SKU of a catalog product',
    description: 'by similar words in the description',
  }),
  ManifestCreate: object(
    manifests.manifestCreate(),
    'A manifest as submitted. It is accepted or rejected as a whole and cannot be changed afterwards.',
    { ...sheet, lines: 'The expected items: one line for each slab, or for a number of units of a product.' },
    manifestCreate,
  ),
  ManifestLineCreate: object(
    manifests.manifestLineCreate(),
    'A line as submitted. A slab has `grader` and `cert_number`; a catalog product has `sku`. A line with neither is matched by its description only.',
    manifestFields,
    slabCreate,
    boxCreate,
  ),
  Manifest: object(manifests.manifest(), 'A purchase that you expect to arrive.', manifestWords, manifest),
  ManifestLine: object(
    manifests.manifestLine(),
    'One line of a manifest and its result.',
    answeredLine,
    slabLine,
    boxLine,
  ),
  ManifestWithLines: object(
    manifests.manifestWithLines(),
    'A manifest with its lines.',
    { ...manifestWords, lines: 'The lines, in submitted order.' },
    closed,
  ),
  ManifestCsvResult: object(
    manifests.manifestCsvResult(),
    'The result of an uploaded manifest: every row is either a line or an error.',
    {
      manifest: 'The manifest created from the valid rows.',
      created: 'The lines of the manifest, in row order.',
      errors: 'The rejected rows. Correct them and submit them as a new manifest.',
      totals: 'The number of rows by result.',
    },
    csvResult,
  ),
  ManifestReport: object(
    manifests.manifestReport(),
    'The reconciliation of a manifest, line by line. Provisional until the manifest is closed.',
    {
      manifest_id: 'The id of the manifest.',
      reference: 'The reference of the manifest.',
      status: 'The status of the manifest.',
      generated_at: 'When the report became final; null while it is provisional.',
      totals: 'Totals for the whole manifest.',
      lines: 'The report lines on this page.',
      unexpected: 'Items that arrived with the manifest and match none of its lines.',
    },
    report,
  ),
  ManifestReportLine: object(
    manifests.reportLine(),
    'A line of a reconciliation report.',
    {
      ...answeredLine,
      received_quantity: 'Units that arrived, including flagged ones.',
      difference: 'Received minus expected: negative if units are missing.',
      condition_flags: 'Condition flags of the items that matched the line.',
      match_key: 'How the items were matched; null if none were.',
      match_score: 'Similarity of the match, from 0 to 1. Always 1 for a certificate or SKU.',
    },
    report.lines[0] as (typeof report.lines)[0],
  ),
  UnexpectedItem: object(
    manifests.unexpectedItem(),
    'An item that arrived with a manifest and matches none of its lines.',
    {
      qid: 'Identifies the item.',
      name: 'The name of the item.',
      sku: 'The SKU of the item.',
      cert_number: 'The certificate number of a slab.',
      intake_at: 'When the item was received.',
      condition_flags: 'Condition flags raised at intake.',
    },
    report.unexpected[0] as (typeof report.unexpected)[0],
  ),
  Reconciliation: object(
    manifests.reconciliation(),
    'The totals of a closed manifest. The lines are in the manifest report.',
    {
      manifest_id: 'The id of the manifest.',
      generated_at: 'When the report became final.',
      totals: 'Totals for the whole manifest, in units.',
    },
    example.reconciliation,
  ),
  ReconciliationTotals: object(
    manifests.reconciliationTotals(),
    'Totals in units, not lines: `missing` is `expected` minus `matched` minus `condition_mismatch`.',
    {
      expected: 'Expected units: the sum of all line quantities.',
      matched: 'Units that arrived without a flag.',
      missing: 'Units that did not arrive.',
      unexpected: 'Items that match no line.',
      condition_mismatch: 'Units that arrived with a flag.',
    },
    example.reconciliation.totals,
  ),
  ExpectedLine: object(
    manifests.expectedLine(),
    'A line of an open manifest, with its manifest.',
    {
      ...answeredLine,
      manifest_id: 'The id of the manifest.',
      reference: sheet.reference,
      expected_arrival_end: sheet.expected_arrival_end,
    },
    example.expectedLine,
  ),
  Slabs: object(
    manifests.slabs(),
    'Slabs found by certificate.',
    {
      items: 'Items with one of the certificates, in any status.',
      lines: 'Lines of open manifests that expect one of the certificates.',
    },
    { items: [example.slab], lines: [example.expectedLine] },
  ),
  ManifestPage: describedPage(manifests.manifest(), 'manifests', manifest),
}

function toManifest(id: string): LinkProse[] {
  return [
    link('getManifest', { manifest_id: id }, 'Get the manifest with its lines.'),
    link('getManifestReport', { manifest_id: id }, 'See the reconciliation so far.'),
    link('closeManifest', { manifest_id: id }, 'Close it and make its report final.'),
  ]
}

const file = `external_ref,description,sku,grader,cert_number,quantity
BS-1043-001,1999 Pokemon Base Set Charizard Holo #4,,PSA,65936798,
BS-1043-002,Pokémon 151 Elite Trainer Box,PKM-151-ETB,,,2
BS-1043-003,Pokémon 151 Booster Bundle,PKM-151-XXX,,,1
`

export const manifestsProse: DescribedOperations<keyof typeof manifestOperations> = {
  submitManifest: {
    description:
      'Submits a purchase, line by line, so that arrivals can be matched to it. It is accepted or rejected as a whole, and an error names every fault. A submitted manifest cannot be changed. Under `Custody-Repeats: skip`, the same reference and lines return the earlier manifest with 200; the same reference with other lines returns 409.',
    requests: { 'A slab and two boxes': manifestCreate },
    answer: manifest,
    conflict: taken,
    links: toManifest('$response.body#/id'),
  },
  submitManifestCsv: {
    description:
      'Submits a manifest as a CSV file. Each row is validated on its own: valid rows become the lines of one manifest, and the others are returned in `errors`. A file without a valid row returns 400. `Custody-Repeats: skip` works as it does for a manifest in JSON.',
    requests: { 'A file with one invalid row': { reference, source, file } },
    answer: csvResult,
    repeated: { ...csvResult, created: [], totals: { created: 0, failed: 1, repeated: 2, submitted: 3 } },
    conflict: taken,
    links: toManifest('$response.body#/manifest/id'),
  },
  listManifests: {
    description: 'Lists manifests, newest first.',
    answer: manifest,
  },
  getManifest: {
    description:
      'Returns a manifest with a page of its lines, in submitted order. The `Link` header has the URL of the next page.',
    answer: { ...manifest, status: 'receiving', lines: [slabLine, boxLine] },
  },
  getManifestReport: {
    description:
      'Returns the reconciliation of a manifest, with received, missing, and flagged units by line, and unexpected items. While the manifest is open, the report is provisional and `generated_at` is null.',
    answer: report,
  },
  closeManifest: {
    description:
      'Closes a manifest: no more items are expected. In one step, lines that are still `expected` become `missing`, the report becomes final, and `manifest.reconciliation.completed` is emitted. Returns the manifest with all lines.',
    answer: closed,
    conflict: { message: 'This manifest is already closed.', extra: { status: 'reconciled' } },
    links: [link('getManifestReport', { manifest_id: '$response.body#/id' }, 'Get the final report.')],
  },
}
