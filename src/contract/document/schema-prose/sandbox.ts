import * as sandbox from '../../resources/sandbox.ts'
import * as example from '../telling/examples.ts'
import { object, type Told, words } from '../telling/told.ts'

const flags =
  'What intake is to find wrong with it, as in `cracked_case` or `label_mismatch`; any word. Empty where it is clean.'

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

export const sandboxSchemas: Record<string, Told> = {
  ItemAdvance: object(
    sandbox.itemAdvance(),
    'Where an item is to be walked.',
    { to_status: 'The status to reach by the shortest way.' },
    { to_status: 'available' },
  ),
  Arrival: object(
    sandbox.arrival(),
    'An item that arrives. A slab gives `grader`, `grade` and `cert_number`, a product its `sku`.',
    {
      type: 'Which kind it is.',
      name: 'What a slab is called.',
      sku: 'The SKU of a product in the catalog.',
      grader: 'Who graded the slab.',
      grade: 'Its grade.',
      cert_number: 'Its certificate.',
      set: 'The set that the card is from.',
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
      manifest_id: 'The open manifest with which they come; only its lines are matched then.',
      items: 'What arrives.',
    },
    { manifest_id: example.ids.manifest, items: [slab, box] },
  ),
  IntakesCreated: object(
    sandbox.intakesCreated(),
    'What arrived.',
    { intakes: 'The arrivals, in the order in which they were sent.' },
    { intakes: [example.intake] },
  ),
  ReceiveOutcome: words(sandbox.receiveOutcome(), 'How a manifest arrives.', {
    complete: 'everything that it still waits for',
    short: 'all but the last unit',
    excess: 'one unit more, like those of its last line',
    damaged: 'everything, the first unit flagged',
  }),
  ManifestReceive: object(
    sandbox.receive(),
    'What arrives of a manifest: an `outcome`, or `lines`. Not both.',
    { outcome: 'How it arrives as a whole.', lines: 'What arrives, line by line.' },
    { outcome: 'complete' },
    { lines: [{ line_id: example.ids.boxLine, quantity: 1, condition_flags: ['damaged'] }] },
  ),
  ReceivedLine: object(
    sandbox.receivedLine(),
    'What arrives of one line.',
    { line_id: 'The line.', quantity: 'How many units.', condition_flags: flags },
    { line_id: example.ids.boxLine, quantity: 1, condition_flags: ['damaged'] },
  ),
  FulfillmentAdvance: object(
    sandbox.fulfillmentAdvance(),
    'Where a shipment is to be walked.',
    {
      to_status: 'The status to reach by the shortest way.',
      to_stage: 'The stage to reach; alone while it is processing.',
      issue: 'What stands in its way, where the status is `exception`.',
    },
    { to_status: 'processing', to_stage: 'labeled' },
    {
      to_status: 'exception',
      issue: { code: 'address_undeliverable', message: 'The carrier does not know this street.' },
    },
  ),
  FulfillmentIssueCreate: object(
    sandbox.issueCreate(),
    'What is to stand in the way of a shipment.',
    { code: 'The kind of issue: any word.', message: 'The same for a person.' },
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
    { now: 'What time it is.', offset_seconds: 'By how many seconds it is ahead of the real time.' },
    { now: '2026-03-16T09:00:00.000Z', offset_seconds: 604_800 },
  ),
  ClockAdvance: object(
    sandbox.clockAdvance(),
    'How far the clock is moved: one of the two, and only forward.',
    { seconds: 'By how many seconds.', to: 'To which time.' },
    { seconds: 604_800 },
    { to: '2026-03-16T09:00:00.000Z' },
  ),
}
