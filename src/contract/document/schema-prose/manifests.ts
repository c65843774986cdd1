import * as manifests from '../../resources/manifest.ts'
import * as vocabulary from '../../vocabulary.ts'
import * as example from '../telling/examples.ts'
import { object, type Told, words } from '../telling/told.ts'
import { pageTold } from './envelope.ts'

/** Of a line as it is sent, and so of a row. */
export const manifestFields = {
  external_ref: 'Your own name for the expected item; repeated on the item that matches.',
  description: 'What you expect, in your words. Lines without a certificate and a SKU are matched by it.',
  grader: 'Who graded the slab, as in PSA or BGS.',
  cert_number: 'The certificate on the slab: the strongest key by which an arrival is matched.',
  quantity: 'How many units are expected.',
  sku: 'The SKU of a product in your catalog, for a line of catalog products.',
}

const answeredLine = {
  ...manifestFields,
  id: 'Names the line.',
  status: 'What came of the line.',
  matched_qids: 'The items that matched the line, flagged ones too.',
}

const sheet = {
  reference: 'Your name for the purchase: an order number, the id of a buy sheet.',
  source: 'Where it was bought; left out where it was not told.',
  expected_arrival_start: 'The first day on which it may arrive.',
  expected_arrival_end: 'The last day on which it may arrive. A week after it, what is still open is closed.',
}

const manifest = {
  ...sheet,
  id: 'Names the manifest.',
  status: 'How far it is.',
  line_count: 'How many lines it has.',
  created_at: 'When it was submitted.',
}

const { manifest: submitted, newLines, closedLines, slabLine, report } = example
const slabCreate = {
  external_ref: 'BS-1043-001',
  description: slabLine.description,
  grader: 'PSA',
  cert_number: '65936798',
}
const boxCreate = {
  external_ref: 'BS-1043-002',
  description: 'Pokémon 151 Elite Trainer Box',
  sku: 'PKM-151-ETB',
  quantity: 2,
}

export const manifestCreate = {
  reference: 'PO-1043',
  source: 'card_show' as const,
  expected_arrival_start: '2026-03-05',
  expected_arrival_end: '2026-03-09',
  lines: [slabCreate, boxCreate],
}

export const manifestSchemas: Record<string, Told> = {
  ManifestSource: words(vocabulary.manifestSource(), 'Where a purchase was made.', {
    card_show: 'at a card show',
    marketplace: 'on a marketplace',
    distributor: 'from a distributor',
    other: 'anywhere else',
  }),
  ManifestStatus: words(vocabulary.manifestStatus(), 'How far a manifest is.', {
    submitted: 'open, nothing has arrived yet',
    receiving: 'open, items are arriving and are matched to its lines',
    reconciled: 'closed; its report is final',
  }),
  ManifestLineStatus: words(vocabulary.lineStatus(), 'What came of a line.', {
    expected: 'not all of its units have arrived',
    matched: 'all of its units have arrived and verified clean',
    missing: 'the manifest was closed before all of them had arrived',
    condition_mismatch: 'one of its units was flagged at intake',
  }),
  MatchKey: words(vocabulary.matchKey(), 'By what an arrival was matched to a line, the strongest first.', {
    cert_number: 'the certificate, and the grader where both sides give one',
    sku: 'the SKU of a catalog product',
    description: 'words that are alike',
  }),
  ManifestCreate: object(
    manifests.manifestCreate(),
    'A manifest as it is submitted. It is taken whole or not at all, and cannot be changed afterwards.',
    { ...sheet, lines: 'What is expected: a line for each slab, or for so many units of a product.' },
    manifestCreate,
  ),
  ManifestLineCreate: object(
    manifests.manifestLineCreate(),
    'A line as it is submitted. A slab gives `grader` and `cert_number`, a catalog product its `sku`; with neither, the description alone matches.',
    manifestFields,
    slabCreate,
    boxCreate,
  ),
  Manifest: object(manifests.manifest(), 'What was bought and is expected to arrive.', manifest, submitted),
  ManifestLine: object(
    manifests.manifestLine(),
    'One line of a manifest, and what came of it.',
    answeredLine,
    slabLine,
    example.boxLine,
  ),
  ManifestWithLines: object(
    manifests.manifestWithLines(),
    'A manifest and a page of its lines.',
    { ...manifest, lines: 'The lines of this page, in the order in which they were submitted.' },
    { ...submitted, status: 'reconciled', lines: closedLines },
  ),
  ManifestCsvResult: object(
    manifests.manifestCsvResult(),
    'What became of an uploaded manifest: every row is either a line or an error.',
    {
      manifest: 'The manifest that the valid rows made.',
      created: 'Its lines, in the order of the rows.',
      errors: 'The rows that were not taken. Correct them and submit them as a further manifest.',
      totals: 'How many rows there were of each.',
    },
    {
      manifest: submitted,
      created: newLines,
      errors: [example.rowError],
      totals: { created: 2, failed: 1, submitted: 3 },
    },
  ),
  ManifestReport: object(
    manifests.manifestReport(),
    'The reconciliation of a manifest, line by line. Provisional until the manifest is closed.',
    {
      manifest_id: 'The manifest.',
      reference: 'Its reference.',
      status: 'Its status.',
      generated_at: 'When the report became final; null while it is provisional.',
      totals: 'Units, of the whole manifest.',
      lines: 'The lines of this page.',
      unexpected: 'Items attributed to the manifest that match none of its lines.',
    },
    report,
  ),
  ManifestReportLine: object(
    manifests.reportLine(),
    'A line of the report.',
    {
      ...answeredLine,
      received_quantity: 'Units that arrived, flagged ones too.',
      difference: 'Received less expected: negative where units are missing.',
      condition_flags: 'What intake raised on any of its items.',
      match_key: 'By what its items were matched; null where none was.',
      match_score: 'How alike they were, from 0 to 1; 1 for a certificate or a SKU.',
    },
    report.lines[0] as (typeof report.lines)[0],
  ),
  UnexpectedItem: object(
    manifests.unexpectedItem(),
    'An item that came with a manifest and is on none of its lines.',
    {
      qid: 'Names the item.',
      name: 'Its name.',
      sku: 'Its SKU.',
      cert_number: 'The certificate of a slab.',
      intake_at: 'When it was taken in.',
      condition_flags: 'What intake raised.',
    },
    report.unexpected[0] as (typeof report.unexpected)[0],
  ),
  Reconciliation: object(
    manifests.reconciliation(),
    'The end of a manifest, in figures. The lines are in its report.',
    {
      manifest_id: 'The manifest.',
      generated_at: 'When its report became final.',
      totals: 'Units.',
    },
    example.reconciliation,
  ),
  ReconciliationTotals: object(
    manifests.reconciliationTotals(),
    'Units, not lines: `missing` is `expected` less `matched` and `condition_mismatch`.',
    {
      expected: 'The sum of the quantities.',
      matched: 'Units that arrived clean.',
      missing: 'Units that did not arrive.',
      unexpected: 'Items that are on no line.',
      condition_mismatch: 'Units that arrived and were flagged.',
    },
    example.reconciliation.totals,
  ),
  ManifestPage: pageTold(manifests.manifest(), 'manifests', submitted),
}
