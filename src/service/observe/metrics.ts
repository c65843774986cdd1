import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { BrokenInvariant } from '../../domain/rejection.ts'
import type { Backlog } from '../../engine/webhooks/backlog.ts'
import { inTime } from '../../runtime/runtime.ts'
import { schemaVersion } from '../../store/schema-version.ts'
import type { LogEntry } from '../context.ts'

export type Metrics = {
  request(entry: LogEntry): void
  fault(error: unknown): void
  delivery(result: string): void
  text(): Promise<string>
  contentType: string
}

/** Seconds: a page from SQLite takes one millisecond, a long import some seconds, a wait for events half a minute. */
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const backlogMs = 2_000

/** Queries the backlog only when metrics are read, and omits it if the database does not answer within `withinMs`. */
export function createMetrics(
  backlog: () => Promise<Backlog>,
  release: string,
  withinMs = backlogMs,
): Metrics {
  const registry = new Registry()
  addBuildInfo(registry, release)
  addProcessGauges(registry)
  const requests = new Counter({
    name: 'custody_requests_total',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const latency = new Histogram({
    name: 'custody_request_duration_seconds',
    help: 'Seconds from a request to its answer, including waits for events.',
    labelNames: ['operation'],
    buckets: latencyBuckets,
    registers: [registry],
  })
  const limited = new Counter({
    name: 'custody_rate_limited_total',
    help: 'Requests rejected by the rate limit of their key.',
    registers: [registry],
  })
  const deliveries = new Counter({
    name: 'custody_webhook_attempts_total',
    help: 'Webhook delivery attempts by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  const broken = new Counter({
    name: 'custody_broken_invariants_total',
    help: 'Writes rolled back because an invariant did not hold. Any such write is a bug in custody: report it.',
    registers: [registry],
  })
  const fault = (error: unknown): void => {
    if (error instanceof BrokenInvariant) broken.inc()
  }
  const waiting = addBacklog(registry)
  return {
    contentType: registry.contentType,
    fault,
    request({ operation, status, duration_ms, address, error }) {
      fault(error)
      requests.inc({ operation, status })
      latency.observe({ operation }, duration_ms / 1000)
      if (status === 429 && address === undefined) limited.inc()
    },
    delivery: (result) => deliveries.inc({ result }),
    async text() {
      waiting(await inTime(backlog(), withinMs).catch(() => undefined))
      return registry.metrics()
    },
  }
}

/** The information is in the labels and the value is 1, as in Prometheus's own programs. */
function addBuildInfo(registry: Registry, version: string): void {
  const info = new Gauge({
    name: 'custody_build_info',
    help: 'The running release, the schema version it knows, and its Node.js.',
    labelNames: ['version', 'schema', 'node'],
    registers: [registry],
  })
  info.set({ version, schema: schemaVersion, node: process.versions.node }, 1)
}

function addBacklog(registry: Registry): (found: Backlog | undefined) => void {
  const up = gauge(registry, 'custody_database_up', 'Whether the database answered just now: 1 or 0.')
  const pending = gauge(registry, 'custody_webhook_queue_depth', 'Webhook deliveries waiting to be sent.')
  const lag = gauge(
    registry,
    'custody_event_lag_seconds',
    'Seconds that the oldest event has waited for its first attempt, counting only receivers that answer; 0 if none waits.',
  )
  return (found) => {
    up.set(found ? 1 : 0)
    if (found) {
      pending.set(found.pending)
      lag.set(found.lagSeconds)
    } else {
      pending.remove()
      lag.remove()
    }
  }
}

const lookMs = 10

function addProcessGauges(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: lookMs })
  delay.enable()
  const stall = gauge(
    registry,
    'custody_event_loop_stall_seconds',
    'The longest time since the last scrape during which the event loop was blocked.',
    () => {
      // The time between two samples includes the sampling interval itself.
      stall.set(Math.max(0, delay.max / 1e9 - lookMs / 1000))
      delay.reset()
    },
  )
  const memory = gauge(registry, 'custody_memory_bytes', 'Resident memory.', () =>
    memory.set(process.memoryUsage.rss()),
  )
}

function gauge(registry: Registry, name: string, help: string, collect: () => void = () => {}): Gauge {
  return new Gauge({ name, help, registers: [registry], collect })
}

const connectionsMax = 50

/** On loopback by default and apart from the service: metrics are for the operator alone. */
export async function serveMetrics(
  metrics: Metrics,
  port: number,
  host = '127.0.0.1',
): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  })
  server.maxConnections = connectionsMax
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A reader that is still connected loses only these figures.
      server.closeAllConnections()
      return closed
    },
  }
}
