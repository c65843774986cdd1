import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BrokenInvariant } from '../../src/domain/rejection.ts'
import { createMetrics, serveMetrics } from '../../src/service/observe/metrics.ts'
import { schemaVersion } from '../../src/store/schema-version.ts'

const request = { request_id: 'r', operation: 'listItems', duration_ms: 30 }

/** Names that dashboards and alerts use (docs/operating.md): a changed name breaks them silently. */
const names = [
  'custody_broken_invariants_total counter',
  'custody_build_info gauge',
  'custody_database_up gauge',
  'custody_event_lag_seconds gauge',
  'custody_event_loop_stall_seconds gauge',
  'custody_memory_bytes gauge',
  'custody_rate_limited_total counter',
  'custody_request_duration_seconds histogram',
  'custody_requests_total counter',
  'custody_webhook_attempts_total counter',
  'custody_webhook_queue_depth gauge',
]

test('every metric has its name and counts what happened', async () => {
  const metrics = createMetrics(async () => ({ pending: 7, lagSeconds: 61.5 }), '1.2.3')
  metrics.request({ ...request, status: 200 })
  metrics.request({ ...request, status: 429 })
  metrics.request({ ...request, operation: 'createProduct', status: 409 })
  metrics.request({ ...request, status: 500, error: new BrokenInvariant('so', ['1']) })
  metrics.fault(new BrokenInvariant('so', ['2']))
  metrics.fault(new Error('another'))
  metrics.delivery('delivered')
  metrics.delivery('failed')
  metrics.delivery('failed')
  const text = await metrics.text()
  expect([...text.matchAll(/^# TYPE (.*)$/gm)].map(([, found]) => found).sort()).toEqual(names)
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'custody_requests_total{operation="listItems",status="200"} 1',
      'custody_requests_total{operation="listItems",status="429"} 1',
      'custody_requests_total{operation="createProduct",status="409"} 1',
      'custody_rate_limited_total 1',
      'custody_broken_invariants_total 2',
      'custody_request_duration_seconds_bucket{le="0.025",operation="listItems"} 0',
      'custody_request_duration_seconds_bucket{le="0.05",operation="listItems"} 3',
      'custody_request_duration_seconds_sum{operation="listItems"} 0.09',
      'custody_webhook_attempts_total{result="delivered"} 1',
      'custody_webhook_attempts_total{result="failed"} 2',
      'custody_webhook_queue_depth 7',
      'custody_event_lag_seconds 61.5',
      'custody_database_up 1',
      `custody_build_info{version="1.2.3",schema="${schemaVersion}",node="${process.versions.node}"} 1`,
    ]),
  )
})

test("the operators' page lists every metric with its labels", () => {
  const page = readFileSync('docs/operating.md', 'utf8')
  const told = [...page.matchAll(/^\| `(custody_\w+)(?:\{[\w,]+\})?` \|/gm)].map(([, name]) => name)
  expect(told.sort()).toEqual(names.map((name) => name.split(' ')[0]))
})

test('metrics are served only on loopback and only at /metrics', async () => {
  const metrics = createMetrics(async () => ({ pending: 0, lagSeconds: 0 }), 'test')
  const { address, close } = await serveMetrics(metrics, 0)
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  const answer = await fetch(address)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, metrics.contentType])
  expect(await answer.text()).toContain('custody_webhook_queue_depth 0')
  expect((await fetch(`${address}/more`)).status).toBe(404)
  expect((await fetch(address, { method: 'POST' })).status).toBe(404)
  await close()
})
