import type { manifestOperations } from '../../operations/manifests.ts'
import { type DescribedOperations, type LinkProse, link } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { manifestCreate } from '../schema-prose/manifests.ts'

const { manifest, closedLines, newLines, report, rowError } = example

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
    conflict: {
      message: 'A manifest with this reference and other lines already exists.',
      extra: { manifest_id: manifest.id, created_at: manifest.created_at, status: manifest.status },
    },
    links: toManifest('$response.body#/id'),
  },
  submitManifestCsv: {
    description:
      'Submits a manifest as a CSV file. Each row is validated on its own: valid rows become the lines of one manifest, and the others are returned in `errors`. A file without a valid row returns 400. `Custody-Repeats: skip` works as it does for a manifest in JSON.',
    requests: { 'A file with one invalid row': { reference: 'PO-1043', source: 'card_show', file } },
    answer: {
      manifest,
      created: newLines,
      errors: [rowError],
      totals: { created: 2, failed: 1, submitted: 3 },
    },
    repeated: {
      manifest,
      created: [],
      errors: [rowError],
      totals: { created: 0, failed: 1, repeated: 2, submitted: 3 },
    },
    conflict: {
      message: 'A manifest with this reference and other lines already exists.',
      extra: { manifest_id: manifest.id, created_at: manifest.created_at, status: manifest.status },
    },
    links: toManifest('$response.body#/manifest/id'),
  },
  listManifests: {
    description: 'Lists manifests, newest first.',
    answer: manifest,
  },
  getManifest: {
    description:
      'Returns a manifest with a page of its lines, in submitted order. The `Link` header has the URL of the next page.',
    answer: { ...manifest, status: 'receiving', lines: [example.slabLine, example.boxLine] },
  },
  getManifestReport: {
    description:
      'Returns the reconciliation of a manifest, with received, missing, and flagged units by line, and unexpected items. While the manifest is open, the report is provisional and `generated_at` is null.',
    answer: report,
  },
  closeManifest: {
    description:
      'Closes a manifest: no more items are expected. In one step, lines that are still `expected` become `missing`, the report becomes final, and `manifest.reconciliation.completed` is emitted.',
    answer: { ...manifest, status: 'reconciled', lines: closedLines },
    conflict: { message: 'This manifest is already closed.', extra: { status: 'reconciled' } },
    links: [link('getManifestReport', { manifest_id: '$response.body#/id' }, 'Get the final report.')],
  },
}
