import type { sandboxOperations } from '../../operations/sandbox.ts'
import * as sandbox from '../../resources/sandbox.ts'
import { type DescribedOperations, link, object, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'

const flags =
  'Problems found at intake, such as `cracked_case` or `label_mismatch`. Any value is possible. Empty if there are none.'

const { ids, intake, issue, labeled, transfer } = example
const { type, name, grader, grade, cert_number, set, card_number, category } = example.slab
const graded = { type, name, grader, grade, cert_number }
const slab = { ...graded, set, card_number, category, condition_flags: ['cracked_case'] }
const box = { type: example.box.type, sku: example.box.sku }
const stopped = { to_status: 'exception' as const, issue: { code: issue.code, message: issue.message } }
const clock = { now: '2026-03-16T09:00:00.000Z', offset_seconds: 604_800 }

export const sandboxSchemas: Record<string, SchemaProse> = {
  ItemAdvance: object(
    sandbox.itemAdvance(),
    'The status to move an item to.',
    { to_status: 'The status to reach, by the shortest legal path.' },
    { to_status: 'available' },
  ),
  Arrival: object(
    sandbox.arrival(),
    'An arriving item. A slab has `grader`, `grade`, and `cert_number`; a product has `sku`.',
    {
      type: 'The kind of item.',
      name: 'The name of a slab.',
      sku: 'The SKU of a product in the catalog.',
      grader: "The slab's grading company.",
      grade: 'The grade of the slab.',
      cert_number: 'The certificate number of the slab.',
      set: 'The set the card belongs to.',
      card_number: 'The card number within the set.',
      category: 'The category of the item.',
      condition_flags: flags,
    },
    slab,
    box,
  ),
  IntakesCreate: object(
    sandbox.intakesCreate(),
    'Items that arrive together.',
    {
      manifest_id:
        'The open manifest that the items arrive with. If given, only the lines of this manifest are matched.',
      items: 'The arriving items.',
    },
    { manifest_id: ids.manifest, items: [slab, box] },
  ),
  IntakesCreated: object(
    sandbox.intakesCreated(),
    'The simulated arrivals.',
    { intakes: 'The arrivals, in the order sent.' },
    { intakes: [intake] },
  ),
  ReceiveOutcome: words(sandbox.receiveOutcome(), 'How the items of a manifest arrive.', {
    complete: 'every unit that is still expected',
    short: 'every unit but the last',
    excess: 'every unit, and one more of the last line',
    damaged: 'every unit, with the first one flagged',
  }),
  ManifestReceive: object(
    sandbox.receive(),
    'The arrival to simulate: either `outcome` or `lines`.',
    { outcome: 'How the whole manifest arrives.', lines: 'The arriving units, line by line.' },
    { outcome: 'complete' },
    { lines: [{ line_id: ids.boxLine, quantity: 1, condition_flags: ['damaged'] }] },
  ),
  ReceivedLine: object(
    sandbox.receivedLine(),
    'The arriving units of one line.',
    { line_id: 'The id of the line.', quantity: 'The number of arriving units.', condition_flags: flags },
    { line_id: ids.boxLine, quantity: 1, condition_flags: ['damaged'] },
  ),
  FulfillmentAdvance: object(
    sandbox.fulfillmentAdvance(),
    'The status or stage to move a fulfillment to.',
    {
      to_status: 'The status to reach, by the shortest legal path.',
      to_stage: 'The stage to reach. `to_status` may be omitted while the fulfillment is processing.',
      issue: 'The issue to raise, if `to_status` is `exception`.',
    },
    { to_status: 'processing', to_stage: 'labeled' },
    stopped,
  ),
  FulfillmentIssueCreate: object(
    sandbox.issueCreate(),
    'The issue to raise.',
    {
      code: 'The machine-readable kind of issue. Any value is possible.',
      message: 'A human-readable description of the issue.',
    },
    stopped.issue,
  ),
  TransferResolve: object(
    sandbox.transferResolve(),
    'The outcome of a transfer.',
    { to_status: '`completed` or `declined`.' },
    { to_status: 'completed' },
  ),
  Clock: object(
    sandbox.clock(),
    "The partner's sandbox clock. Everything that depends on time follows it.",
    {
      now: 'The current time.',
      offset_seconds: 'The number of seconds that the clock is ahead of real time.',
    },
    clock,
  ),
  ClockAdvance: object(
    sandbox.clockAdvance(),
    'How far to move the clock. Give one of the two fields; the clock only moves forward.',
    { seconds: 'The number of seconds to move forward.', to: 'The time to move to.' },
    { seconds: 604_800 },
    { to: '2026-03-16T09:00:00.000Z' },
  ),
}

const closed = {
  message: 'This manifest is closed: nothing can be received for it.',
  extra: { status: 'reconciled' },
}

export const sandboxProse: DescribedOperations<keyof typeof sandboxOperations> = {
  createIntakes: {
    description:
      'Simulates arrivals, with or without a manifest. Each item is matched to the open manifest lines and emits `item.intake.completed`. Sandbox only; 404 in production.',
    requests: {
      'A slab and a box, with a manifest': {
        manifest_id: ids.manifest,
        items: [graded, box],
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
      'Raise an issue': stopped,
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
