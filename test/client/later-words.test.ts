import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { Reply } from '../../src/contract/call.ts'
import { sampleEvent } from '../../src/domain/webhooks/webhook-sample.ts'

const later = 'on_display'
const { data: item } = sampleEvent('item.status.changed', 'an-id', '2026-03-02T14:05:09.120Z')

function clientAnswered(body: unknown) {
  const reply: Reply = { status: 200, headers: {}, body: JSON.stringify(body) }
  return createClient({
    transport: async () => reply,
    baseUrl: 'https://custody.example/v1',
    newIdempotencyKey: () => 'key',
  })
}

test('a status of a later service is read unchanged', async () => {
  const { data } = await clientAnswered({ ...item, status: later }).getItem({ params: { qid: 'Q' } })
  // The type allows later words: this line would not compile if it had only today's statuses.
  expect(data.status === later).toBe(true)
  expect(data).toEqual({ ...item, status: later })
})

test('a count by such a status, and a new field, are read too', async () => {
  const summary = { total: 1, by_status: { [later]: 1 }, since: 'today' }
  const { data } = await clientAnswered(summary).getItemSummary({})
  expect(data).toEqual(summary)
  // Nor would this one if the counts had only today's statuses.
  const counted: number | undefined = data.by_status[later]
  expect(counted).toBe(1)
})
