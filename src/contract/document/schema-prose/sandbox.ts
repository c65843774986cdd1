import * as sandbox from '../../resources/sandbox.ts'
import { object, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'

const flags =
  'What intake finds wrong, such as `cracked_case` or `label_mismatch`; any value. Empty if nothing is wrong.'

const slab = {
  type: 'graded_slab' as const,
  name: '1999 Pokemon Base Set Charizard Holo #4',
  grader: 'PSA',
  grade: '9',
  cert_number: '65936798',
  set: 'Base Set',
  card_number: '4',
  category: 'pokemon',
  condition_flags: ['cracked_case'],
}

const box = { type: 'product' as const, sku: 'PKM-151-ETB' }

export const sandboxSchemas: Record<string, SchemaProse> = {
  ItemAdvance: object(
    sandbox.itemAdvance(),
    'The status to move an item to.',
    { to_status: 'The status to reach by the shortest legal path.' },
    { to_status: 'available' },
  ),
  Arrival: object(
    sandbox.arrival(),
    'An arriving item. A slab has `grader`, `grade`, and `cert_number`; a product has its `sku`.',
    {
      type: 'Its kind.',
      name: 'The name of a slab.',
      sku: 'The SKU of a product in the catalog.',
      grader: "The slab's grading company.",
      grade: 'Its grade.',
      cert_number: 'Its certificate.',
      set: "The card's set.",
      card_number: 'The number of the card in its set.',
      category: 'Its category.',
      condition_flags: flags,
    },
    slab,
    box,
  ),
  IntakesCreate: object(
    sandbox.intakesCreate(),
    'Items that arrive together.',
    {
      manifest_id: 'The open manifest they arrive with; then only its lines are matched.',
      items: 'What arrives.',
    },
    { manifest_id: example.ids.manifest, items: [slab, box] },
  ),
  IntakesCreated: object(
    sandbox.intakesCreated(),
    'What arrived.',
    { intakes: 'The arrivals, in the order sent.' },
    { intakes: [example.intake] },
  ),
  ReceiveOutcome: words(sandbox.receiveOutcome(), 'How a manifest arrives.', {
    complete: 'everything it still expects',
    short: 'all but the last unit',
    excess: 'one unit too many, like those of its last line',
    damaged: 'everything, the first unit flagged',
  }),
  ManifestReceive: object(
    sandbox.receive(),
    'What arrives: either an `outcome` or `lines`.',
    { outcome: 'How it arrives as a whole.', lines: 'What arrives, line by line.' },
    { outcome: 'complete' },
    { lines: [{ line_id: example.ids.boxLine, quantity: 1, condition_flags: ['damaged'] }] },
  ),
  ReceivedLine: object(
    sandbox.receivedLine(),
    'What arrives of one line.',
    { line_id: 'The line.', quantity: 'The number of units.', condition_flags: flags },
    { line_id: example.ids.boxLine, quantity: 1, condition_flags: ['damaged'] },
  ),
  FulfillmentAdvance: object(
    sandbox.fulfillmentAdvance(),
    'The status or stage to move a shipment to.',
    {
      to_status: 'The status to reach by the shortest legal path.',
      to_stage: 'The stage to reach; may stand alone while it is processing.',
      issue: 'The issue, if the status is `exception`.',
    },
    { to_status: 'processing', to_stage: 'labeled' },
    {
      to_status: 'exception',
      issue: { code: 'address_undeliverable', message: 'The carrier does not know this street.' },
    },
  ),
  FulfillmentIssueCreate: object(
    sandbox.issueCreate(),
    'The issue to raise.',
    { code: 'The kind of issue: any value.', message: 'The issue, for people.' },
    { code: 'address_undeliverable', message: 'The carrier does not know this street.' },
  ),
  TransferResolve: object(
    sandbox.transferResolve(),
    'How a transfer ends.',
    { to_status: '`completed` or `declined`.' },
    { to_status: 'completed' },
  ),
  Clock: object(
    sandbox.clock(),
    'The clock of this partner in the sandbox. Everything that depends on time follows it.',
    { now: 'The current time.', offset_seconds: 'Seconds ahead of real time.' },
    { now: '2026-03-16T09:00:00.000Z', offset_seconds: 604_800 },
  ),
  ClockAdvance: object(
    sandbox.clockAdvance(),
    'How far to move the clock: one of the two, only forward.',
    { seconds: 'Seconds to move forward.', to: 'The time to move to.' },
    { seconds: 604_800 },
    { to: '2026-03-16T09:00:00.000Z' },
  ),
}
