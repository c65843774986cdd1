import type { sandboxOperations } from '../../operations/sandbox.ts'
import { type DescribedOperations, link } from '../examples/described.ts'
import * as example from '../examples/examples.ts'

const { ids, intake, issue, labeled, transfer } = example
const closed = {
  message: 'This manifest is closed: nothing can be received for it.',
  extra: { status: 'reconciled' },
}
const clock = { now: '2026-03-16T09:00:00.000Z', offset_seconds: 604_800 }

export const sandboxProse: DescribedOperations<keyof typeof sandboxOperations> = {
  createIntakes: {
    description:
      'Simulates arrivals, with or without a manifest. Each item is matched to the open manifest lines and emits `item.intake.completed`. Sandbox only; 404 in production.',
    requests: {
      'A slab and a box, with a manifest': {
        manifest_id: ids.manifest,
        items: [
          {
            type: 'graded_slab',
            name: '1999 Pokemon Base Set Charizard Holo #4',
            grader: 'PSA',
            grade: '9',
            cert_number: '65936798',
          },
          { type: 'product', sku: 'PKM-151-ETB' },
        ],
      },
    },
    answer: { intakes: [intake] },
    conflict: closed,
    links: [link('getItem', { qid: '$response.body#/intakes/0/qid' }, 'Get the first item.')],
  },
  receiveManifest: {
    description:
      'Simulates the arrival of a manifest: complete, one unit short, one unit over, damaged, or line by line. Sandbox only; 404 in production.',
    requests: {
      Everything: { outcome: 'complete' },
      'One damaged box': { lines: [{ line_id: ids.boxLine, quantity: 1, condition_flags: ['damaged'] }] },
    },
    answer: { intakes: [intake] },
    conflict: closed,
    links: [
      link(
        'getManifestReport',
        { manifest_id: '$request.path.manifest_id' },
        "See the manifest's reconciliation.",
      ),
    ],
  },
  advanceFulfillment: {
    description:
      'Moves a fulfillment to a status or stage by the shortest legal path, and emits the same events as production. Sandbox only; 404 in production.',
    requests: {
      'Label it': { to_status: 'processing', to_stage: 'labeled' },
      'Raise an issue': { to_status: 'exception', issue: { code: issue.code, message: issue.message } },
    },
    answer: labeled,
  },
  resolveTransfer: {
    description: 'Completes or declines a requested transfer. Sandbox only; 404 in production.',
    requests: { 'Complete it': { to_status: 'completed' } },
    answer: { ...transfer, status: 'completed' },
    conflict: {
      message: 'This transfer is already completed.',
      extra: { status: 'completed' },
    },
  },
  getClock: {
    description: "Returns the partner's sandbox clock. Sandbox only; 404 in production.",
    answer: clock,
  },
  advanceClock: {
    description:
      "Moves the partner's sandbox clock forward: arrival windows end, overdue manifests close, and webhooks are retried. The clock cannot be moved back. Sandbox only; 404 in production.",
    requests: { 'A week later': { seconds: 604_800 } },
    answer: clock,
  },
  getOpenApi: {
    description: 'Returns this document. No API key is required.',
    answer: { openapi: '3.1.0' },
  },
}
