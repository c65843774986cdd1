import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/service/context.ts'
import { type Delivering, startDelivering } from '../support/delivering.ts'
import { usualDatabases } from '../support/harness.ts'

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
const span_id = '00f067aa0ba902b7'
const traceparent = `00-${trace_id}-${span_id}-01`

describe.each(usualDatabases)('a trace over $name', (database) => {
  let delivering: Delivering
  const requests: LogEntry[] = []
  beforeEach(async () => {
    const log = (entry: LogEntry) => requests.push(entry)
    delivering = await startDelivering(database, { harness: { service: { log } } })
  })
  afterEach(() => delivering.close())

  /** Submits and closes a manifest, which creates one event; returns the log lines of the closing. */
  const closing = async (reference: string, sent: string | undefined): Promise<LogEntry | undefined> => {
    const { client, call } = delivering.harness
    const { data } = await client.submitManifest({ body: { reference, lines: [{ description: 'Box' }] } })
    const headers = { 'idempotency-key': reference, ...(sent !== undefined && { traceparent: sent }) }
    await call({ operation: 'closeManifest', params: { manifest_id: data.id }, headers })
    return requests.at(-1)
  }

  test("passes from a request into its log line and into those of its events' deliveries", async () => {
    const { receiver, log, later } = delivering
    await delivering.subscribe({ types: ['manifest.reconciliation.completed'] })
    receiver.answer(500)
    expect(await closing('PO-1', traceparent)).toMatchObject({
      operation: 'closeManifest',
      trace_id,
      span_id,
    })
    await delivering.worker.idle()
    receiver.answer(204)
    await later(60_000)
    await later(600_000)
    expect(log).toMatchObject([
      { attempt: 1, verdict: 'retry', trace_id, span_id },
      { attempt: 2, verdict: 'delivered', trace_id, span_id },
    ])
    expect(await closing('PO-2', undefined)).not.toHaveProperty('trace_id')
    await delivering.worker.idle()
    expect(log).toHaveLength(3)
    expect(log[2]).not.toHaveProperty('trace_id')
  })

  test.each([
    '',
    'x',
    traceparent.toUpperCase(),
    `ff${traceparent.slice(2)}`,
    `00-${'0'.repeat(32)}-${span_id}-01`,
    `00-${trace_id}-${'0'.repeat(16)}-01`,
    `${traceparent}0`,
    `${traceparent}-01`,
  ])('is omitted and rejects nothing if it is invalid, such as %j', async (sent) => {
    const entry = await closing(`PO ${sent}`, sent)
    expect(entry).toMatchObject({ operation: 'closeManifest', status: 200 })
    expect(entry).not.toHaveProperty('trace_id')
  })
})
