import * as z from 'zod/mini'
import { filter, type Operation, paged } from '../operation.ts'
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
    success: 201,
    response: manifest,
    errors: [400, 401, 409, 429],
    repeats: true,
    summary: 'Submit a manifest: a purchase that you expect to arrive',
  },
  submitManifestCsv: {
    method: 'POST',
    path: '/manifests/csv',
    form: manifestForm,
    success: 201,
    response: manifestCsvResult,
    errors: [400, 401, 409, 429],
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
    errors: [400, 401, 429],
    summary: 'List manifests, newest first',
  },
  getManifest: {
    method: 'GET',
    path: '/manifests/{manifest_id}',
    params: { manifest_id: 'uuid' },
    query: sent(linePaging),
    success: 200,
    response: manifestWithLines,
    linked: true,
    errors: [400, 401, 404, 429],
    extension: true,
    summary: 'Get a manifest with its lines',
  },
  getManifestReport: {
    method: 'GET',
    path: '/manifests/{manifest_id}/report',
    params: { manifest_id: 'uuid' },
    query: sent(linePaging),
    success: 200,
    response: manifestReport,
    linked: true,
    errors: [400, 401, 404, 429],
    extension: true,
    summary: 'Get the reconciliation report: received units by line, and unexpected items',
  },
  closeManifest: {
    method: 'POST',
    path: '/manifests/{manifest_id}/close',
    params: { manifest_id: 'uuid' },
    success: 200,
    response: manifestWithLines,
    errors: [400, 401, 404, 409, 429],
    summary: 'Close a manifest and make its reconciliation final',
  },
} as const satisfies Record<string, Operation>
