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
      'Simulates arrivals, with or without a manifest. Each item is matched to the open lines and emits `item.intake.completed`. 404 in production.',
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
    links: [link('getItem', { qid: '$response.body#/intakes/0/qid' }, 'The first of the items.')],
  },
  receiveManifest: {
    description:
      'Simulates the arrival of a manifest: complete, one unit short, one too many, damaged, or line by line. 404 in production.',
    requests: {
      Everything: { outcome: 'complete' },
      'One damaged box': { lines: [{ line_id: ids.boxLine, quantity: 1, condition_flags: ['damaged'] }] },
    },
    answer: { intakes: [intake] },
    conflict: closed,
    links: [
      link('getManifestReport', { manifest_id: '$request.path.manifest_id' }, "The manifest's result."),
    ],
  },
  advanceFulfillment: {
    description:
      'Moves a shipment to a status or stage by the shortest legal path, with the events of production. 404 in production.',
    requests: {
      'Until it has its label': { to_status: 'processing', to_stage: 'labeled' },
      'Into trouble': { to_status: 'exception', issue: { code: issue.code, message: issue.message } },
    },
    answer: labeled,
  },
  resolveTransfer: {
    description: 'Completes or declines a requested transfer. 404 in production.',
    requests: { Completed: { to_status: 'completed' } },
    answer: { ...transfer, status: 'completed' },
    conflict: {
      message: 'This transfer is already completed.',
      extra: { status: 'completed' },
    },
  },
  getClock: {
    description: "Returns the partner's time in the sandbox. 404 in production.",
    answer: clock,
  },
  advanceClock: {
    description:
      "Moves the partner's time in the sandbox forward: arrival windows end, manifests are closed, webhooks are retried. It cannot be moved back. 404 in production.",
    requests: { 'A week later': { seconds: 604_800 } },
    answer: clock,
  },
  getOpenApi: {
    description: 'Returns this document. Needs no key.',
    answer: { openapi: '3.1.0' },
  },
}
