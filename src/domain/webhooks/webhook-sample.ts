import { events } from '../../contract/document/examples/examples.ts'
import type { WebhookEventType } from '../../contract/enums.ts'
import { once } from '../../contract/once.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import { gradedSku, makeQid, qidRandomBytes } from '../items/qid.ts'

/**
 * A sample event for testing a receiver (decisions 10): the document's example of its type, complete, valid and signed, but
 * about an item that does not exist. It is pushed only, because the log contains nothing but real events.
 */
export function sampleEvent(type: WebhookEventType, id: string, now: string): WebhookEvent {
  const { data } = JSON.parse(JSON.stringify(events[type]), (key, value) => {
    if (value === null) return null
    if (key.endsWith('_at')) return now
    return sampleValues().has(key) ? sampleValues().get(key) : value
  }) as WebhookEvent
  return {
    id,
    created_at: now,
    type,
    data: 'item' in data ? { ...data, manifest_id: null } : data,
  } as WebhookEvent
}

const sampleId = '00000000-0000-7000-8000-000000000001'
const card = { grader: 'PSA', grade: '10', name: 'Sample Card - webhook test', set: null, card_number: null }

/** Replacements for every field that could name something of the partner's. */
const sampleValues = once(() => {
  const qid = makeQid(new Uint8Array(qidRandomBytes))
  const fields = {
    ...card,
    id: sampleId,
    manifest_id: sampleId,
    qid,
    qids: [qid],
    sku: gradedSku(card),
    category: undefined,
    cert_number: '00000000',
    external_ref: null,
    manifest_line_id: null,
    image_assets: [],
    condition_flags: [],
    totals: { expected: 1, matched: 1, missing: 0, unexpected: 0, condition_mismatch: 0 },
    shipping_address: null,
    carrier: null,
    service: null,
    tracking_number: null,
    tracking_url: null,
    special_instructions: null,
    deliver_by: null,
    message: 'A sample issue.',
    code: 'sample_issue',
  }
  return new Map<string, unknown>(Object.entries(fields))
})
