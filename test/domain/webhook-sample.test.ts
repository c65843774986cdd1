import { describe, expect, test } from 'vitest'
import { type WebhookEventType, webhookEventTypes } from '../../src/contract/enums.ts'
import { webhookEvent } from '../../src/contract/resources/event.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { firstUuidAt } from '../../src/domain/uuid.ts'
import { sampleEvent } from '../../src/domain/webhooks/webhook-sample.ts'

const id = '019de2bc-5e80-7000-8000-000000000000'
const now = '2026-05-01T09:00:00.000Z'

describe('sample events (decisions 10)', () => {
  test.each(webhookEventTypes)('the sample of %s is a complete event of that type', (type) => {
    const event = sampleEvent(type, id, now)
    expect(webhookEvent().safeParse(event).error?.issues).toBeUndefined()
    expect(event).toMatchObject({ id, created_at: now, type })
  })

  test.each<[WebhookEventType, object]>([
    ['item.intake.completed', { condition_flags: [], item: { status: 'received' }, manifest_id: null }],
    ['item.status.changed', { status: 'available', name: 'Sample Card - webhook test' }],
    ['fulfillment.status.changed', { status: 'pending', issue: null }],
    [
      'fulfillment.issue.raised',
      {
        status: 'exception',
        issue: { code: 'sample_issue', message: 'A sample issue.', occurred_at: now },
      },
    ],
    ['fulfillment.returned', { status: 'returned', issue: null }],
    ['transfer.requested', { status: 'requested' }],
    ['transfer.completed', { status: 'completed' }],
    ['transfer.declined', { status: 'declined' }],
    ['transfer.cancelled', { status: 'cancelled' }],
  ])('the sample of %s has the state that the event leaves', (type, data) => {
    expect(sampleEvent(type, id, now).data).toMatchObject(data)
  })

  test('a sample names one slab that does not exist, by its QID, certificate, and grade', () => {
    const { data: item } = sampleEvent('item.status.changed', id, now)
    expect(item).toMatchObject({ cert_number: '00000000', grader: 'PSA', grade: '10' })
    expect(sampleEvent('fulfillment.status.changed', id, now).data).toHaveProperty('qids', [
      (item as Item).qid,
    ])
    expect(sampleEvent('transfer.requested', id, now).data).toHaveProperty('qids', [(item as Item).qid])
  })
})

describe('the lowest identifier of a time (decisions 2)', () => {
  test('is a UUIDv7 of its millisecond, in order with those of other times', () => {
    expect(firstUuidAt('2026-05-01T09:00:00.000Z')).toBe('019de2c4-2a80-7000-8000-000000000000')
    const times = [
      '1969-01-01T00:00:00Z',
      '2026-05-01T09:00:00.000Z',
      '2026-05-01T09:00:00.001Z',
      '9999-12-31T23:59:59Z',
    ]
    const ids = times.map(firstUuidAt)
    expect([...ids].sort()).toEqual(ids)
    expect(firstUuidAt('2026-05-01T11:00:00.000+02:00')).toBe(ids[1])
  })
})
