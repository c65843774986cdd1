import type { WebhookEventType } from '../../contract/enums.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import { gradedSku, makeQid, qidRandomBytes } from '../items/qid.ts'

// What a sample names exists nowhere: its own identifiers end in these.
const itemName = 'Sample Card - webhook test'
const sampleId = '00000000-0000-7000-8000-000000000001'

/**
 * A sample event for a receiver to be tried with (decisions 10): whole and valid, signed like a real one, about an item
 * that does not exist. It is pushed only; the log holds what happened, and this did not.
 */
export function sampleEvent(type: WebhookEventType, id: string, now: string): WebhookEvent {
  return { id, created_at: now, type, data: samples[type](now) } as WebhookEvent
}

const samples: {
  readonly [T in WebhookEventType]: (now: string) => Extract<WebhookEvent, { type: T }>['data']
} = {
  'item.intake.completed': (now) => sampleIntake(now),
  'item.status.changed': (now) => sampleItem('available', now),
  'fulfillment.status.changed': (now) => sampleFulfillment('pending', now),
  'fulfillment.issue.raised': (now) => ({
    ...sampleFulfillment('exception', now),
    issue: { code: 'sample_issue', message: 'A sample issue.', occurred_at: now },
  }),
  'fulfillment.returned': (now) => sampleFulfillment('returned', now),
  'manifest.reconciliation.completed': (now) => ({
    manifest_id: sampleId,
    generated_at: now,
    totals: { expected: 1, matched: 1, missing: 0, unexpected: 0, condition_mismatch: 0 },
  }),
  'transfer.requested': (now) => sampleTransfer('requested', now),
  'transfer.completed': (now) => sampleTransfer('completed', now),
  'transfer.declined': (now) => sampleTransfer('declined', now),
  'transfer.cancelled': (now) => sampleTransfer('cancelled', now),
}

function sampleIntake(now: string) {
  return {
    qid: sampleQid(),
    intake_at: now,
    manifest_id: null,
    manifest_line_id: null,
    condition_flags: [],
    item: sampleItem('received', now),
  }
}

function sampleItem(status: Item['status'], now: string): Item {
  const card = { grader: 'PSA', grade: '10', name: itemName, set: null, card_number: null }
  return {
    qid: sampleQid(),
    type: 'graded_slab',
    name: itemName,
    sku: gradedSku(card),
    status,
    set: null,
    card_number: null,
    external_ref: null,
    manifest_line_id: null,
    active_fulfillment_id: null,
    image_assets: [],
    intake_at: now,
    updated_at: now,
    model_3d: null,
    cert_number: '00000000',
    grade: card.grade,
    grader: card.grader,
  }
}

function sampleFulfillment(status: Fulfillment['status'], now: string): Fulfillment {
  return {
    id: sampleId,
    qids: [sampleQid()],
    status,
    processing_stage: null,
    shipping_address: null,
    carrier: null,
    service: null,
    tracking_number: null,
    tracking_url: null,
    issue: null,
    external_ref: null,
    created_at: now,
    updated_at: now,
    type: 'standard',
    special_instructions: null,
    deliver_by: null,
    verified_address_id: null,
  }
}

function sampleTransfer(status: Transfer['status'], now: string): Transfer {
  return {
    id: sampleId,
    qids: [sampleQid()],
    status,
    type: 'sell_back',
    external_ref: null,
    created_at: now,
    updated_at: now,
  }
}

function sampleQid(): string {
  return makeQid(new Uint8Array(qidRandomBytes))
}
