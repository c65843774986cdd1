import * as z from 'zod/mini'
import { filter, paged, type Row } from '../operation.ts'
import { linePaging, sent } from '../primitives.ts'
import {
  manifest,
  manifestCreate,
  manifestCsvResult,
  manifestForm,
  manifestReport,
  manifestWithLines,
} from '../resources/manifest.ts'
import { manifestStatus } from '../vocabulary.ts'

/** No operation edits a manifest: once submitted, it can only be closed (3.1). */
export const manifestOperations = {
  submitManifest: {
    method: 'POST',
    path: '/manifests',
    body: manifestCreate,
    creates: true,
    response: manifest,
    conflicts: true,
    repeats: true,
    summary: 'Submit a manifest: a purchase that you expect to arrive',
  },
  submitManifestCsv: {
    method: 'POST',
    path: '/manifests/csv',
    form: manifestForm,
    creates: true,
    response: manifestCsvResult,
    conflicts: true,
    repeats: true,
    summary: 'Submit a manifest as CSV; invalid rows are returned, the others accepted',
  },
  listManifests: {
    path: '/manifests',
    ...paged({
      status: filter(manifestStatus, 'manifests with this status', 'receiving'),
      reference: filter(() => z.string(), 'manifests with exactly this reference', 'PO-1043'),
    }),
    response: manifest,
    summary: 'List manifests, newest first',
  },
  getManifest: {
    method: 'GET',
    path: '/manifests/{manifest_id}',
    query: sent(linePaging),
    response: manifestWithLines,
    linked: true,
    extension: true,
    summary: 'Get a manifest with its lines',
  },
  getManifestReport: {
    method: 'GET',
    path: '/manifests/{manifest_id}/report',
    query: sent(linePaging),
    response: manifestReport,
    linked: true,
    extension: true,
    summary: 'Get the reconciliation report: received units by line, and unexpected items',
  },
  closeManifest: {
    method: 'POST',
    path: '/manifests/{manifest_id}/close',
    response: manifestWithLines,
    conflicts: true,
    summary: 'Close a manifest and make its reconciliation final',
  },
} as const satisfies Record<string, Row>
