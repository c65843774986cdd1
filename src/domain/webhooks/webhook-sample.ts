import type { WebhookEventType } from '../../contract/enums.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import type { Item } from '../../contract/resources/item.ts'
import { gradedSku } from '../items/graded-sku.ts'
import { makeQid, qidRandomBytes } from '../items/qid.ts'

// What a sample names exists nowhere: its own identifiers end in these.
const itemName = 'Sample Card - webhook test'
const sampleId = '00000000-0000-7000-8000-000000000001'

/**
 * A sample event for a receiver to be tried with (decisions 10): whole and valid, signed like a real one, about an item
 * that does not exist. It is pushed only; the log holds what happened, and this did not.
 */
export function sampleEvent(type: WebhookEventType, id: string, now: string): WebhookEvent {
  const head = { id, created_at: now }
  switch (type) {
    case 'item.intake.completed':
      return { ...head, type, data: sampleIntake(now) }
    case 'item.status.changed':
      return { ...head, type, data: sampleItem('available', now) }
    case 'fulfillment.status.changed':
      return { ...head, type, data: sampleFulfillment('pending', now) }
    case 'fulfillment.issue.raised': {
      const issue = { code: 'sample_issue', message: 'A sample issue.', occurred_at: now }
      return { ...head, type, data: { ...sampleFulfillment('exception', now), issue } }
    }
    case 'fulfillment.returned':
      return { ...head, type, data: sampleFulfillment('returned', now) }
    case 'manifest.reconciliation.completed': {
      const totals = { expected: 1, matched: 1, missing: 0, unexpected: 0, condition_mismatch: 0 }
      return { ...head, type, data: { manifest_id: sampleId, generated_at: now, totals } }
    }
    case 'transfer.requested':
      return { ...head, type, data: sampleTransfer('requested', now) }
    case 'transfer.completed':
      return { ...head, type, data: sampleTransfer('completed', now) }
    case 'transfer.declined':
      return { ...head, type, data: sampleTransfer('declined', now) }
    case 'transfer.cancelled':
      return { ...head, type, data: sampleTransfer('cancelled', now) }
    default:
      return type satisfies never
  }
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
