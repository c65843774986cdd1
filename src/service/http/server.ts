import type { Rate } from '../../domain/token-bucket.ts'
import { measureBacklog } from '../../engine/webhooks/backlog.ts'
import { inTime, Late, runtime, type Timers } from '../../runtime/runtime.ts'
import { type Database, StoreError } from '../../store/database.ts'
import { adviceOn } from '../../store/maintenance/advice.ts'
import { noteWriteFaults } from '../../store/maintenance/health.ts'
import { migrate, tableNames } from '../../store/migrate.ts'
import { rejectUnwritable } from '../../store/postgres/pg-requirements.ts'
import type { KeyLimits, Limiter, LogEntry, ServiceOptions } from '../context.ts'
import type { EventSignal } from '../jobs/event-signal.ts'
import { createKeyUse, createLeader, createScheduler } from '../jobs/scheduler.ts'
import { upkeepChores } from '../jobs/upkeep.ts'
import { createMemoryLimiter, createPostgresLimiter } from '../limits/limiter.ts'
import { createWorkLimiter } from '../limits/work-limits.ts'
import { createKeylessSums } from '../observe/keyless-sums.ts'
import type { ServiceLog } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { createService, loadAll, type Service } from '../service.ts'
import { createDeliveryWorker, type DeliveryWorker } from '../webhooks/delivery-worker.ts'
import { createHttpServer, type HttpOptions } from './http.ts'

export type ServerOptions = Pick<
  ServiceOptions,
  'db' | 'environment' | 'sources' | 'settings' | 'release' | 'compresses' | 'storedResultsMax'
> &
  Pick<HttpOptions, 'publicUrl' | 'maxConnections' | 'drainMs'> & {
    log: ServiceLog
    host: string
    port: number
    rate?: Rate | undefined
    keyLimits?: KeyLimits | undefined
    metricsPort?: number | undefined
    metricsHost?: string | undefined
    idempotencyMs: number
    timers?: Timers | undefined
    /** Milliseconds that the database has for the last writes after `drainMs` (default 2,000). */
    lastWordsMs?: number
  }

export type RunningServer = {
  address: string
  metricsAddress?: string
  /** Returns false if the database did not answer: work that waits for it is abandoned after `drainMs`. */
  stop(): Promise<boolean>
}

export async function startServer(given: ServerOptions): Promise<RunningServer> {
  const options = { ...given, db: noteWriteFaults(given.db) }
  const { db, sources, log, drainMs = 30_000, lastWordsMs = 2_000 } = options
  await loadAll()
  if (db.dialect === 'postgres') await rejectUnwritable(db, tableNames())
  const applied = await migrate(db)
  if (applied[0] === 1) log.warn('created a new database: if it should contain data, check its name')
  else if (applied.length > 0) log.info('migrated', { from: Number(applied[0]) - 1, to: applied.at(-1) })
  for (const word of await adviceOn(db)) log.warn(word)
  const keyUse = createKeyUse(db, sources.clock)
  const metrics = options.metricsPort === undefined ? undefined : await metricsOf(options)
  const sums = createKeylessSums(log, options.timers)
  const note = (entry: LogEntry): void => {
    // Monitors ask every second, so only failures are logged.
    if (entry.operation !== 'healthz' || entry.status !== 200) sums.request(entry)
    metrics?.request(entry)
    if (entry.key_id) keyUse.note(entry.key_id)
  }
  const service = makeService(options, note)
  const { signal } = service
  const onFault = (error: unknown, partner?: string): void => {
    metrics?.fault(error)
    log.fault(
      error instanceof StoreError ? 'outside of any request' : 'an error outside any request',
      error,
      partner === undefined ? {} : { partner },
    )
  }
  const http = await createHttpServer({ ...options, service, onFault, note })
  const deliveries = makeWorker(options, signal, onFault, (result) => metrics?.delivery(result))
  const leader = createLeader(db, sources.clock)
  const chores = upkeepChores({ ...options, wake: signal.notify, keyUse, leader, warn: log.warn, onFault })
  const scheduler = createScheduler(chores, options.timers ?? runtime, onFault)
  const address = await http.listen(options.host, options.port)
  const served = await serveMetricsOf(metrics, options).catch(async (error: unknown) => {
    await http.close()
    throw error
  })
  deliveries.start()
  scheduler.start()
  return {
    address,
    ...(served && { metricsAddress: served.address }),
    async stop() {
      const ended = Promise.all([http.close(), deliveries.stop(), scheduler.stop()])
      const isWell = await isInTime(ended, drainMs + lastWordsMs, onFault)
      const letGo = (): Promise<void> => keyUse.flush().finally(() => leader.resign())
      const isLetGo = isWell && (await isInTime(letGo(), lastWordsMs, onFault))
      await served?.close()
      sums.flush()
      return isLetGo
    },
  }
}

/** Also true if the database failed: its leases then expire by themselves. */
async function isInTime(
  work: Promise<unknown>,
  ms: number,
  onFault: (error: unknown) => void,
): Promise<boolean> {
  try {
    await inTime(work, ms)
    return true
  } catch (error) {
    if (error instanceof Late) return false
    onFault(error)
    return error instanceof StoreError && error.fault !== 'unreachable'
  }
}

function makeService(options: ServerOptions, log: (entry: LogEntry) => void): Service {
  const { db, rate, keyLimits } = options
  const limiter = rate && limiterOf(db, rate)
  return createService({ ...options, log, work: createWorkLimiter(keyLimits), ...(limiter && { limiter }) })
}

function limiterOf(db: Database, rate: Rate): Limiter {
  return db.dialect === 'postgres' ? createPostgresLimiter(db, rate) : createMemoryLimiter(rate)
}

function makeWorker(
  { db, environment, sources, settings, log }: ServerOptions,
  signal: EventSignal,
  onError: (error: unknown) => void,
  count: (result: string) => void,
): DeliveryWorker {
  return createDeliveryWorker({
    db,
    environment,
    sources,
    settings,
    signal,
    onError,
    log(entry) {
      log.info('delivery', entry)
      count(entry.verdict)
    },
  })
}

async function metricsOf(options: ServerOptions): Promise<Metrics> {
  const { db, sources, environment, release = 'unreleased' } = options
  const { createMetrics } = await import('../observe/metrics.ts')
  return createMetrics(() => measureBacklog(db, sources, environment), release)
}

async function serveMetricsOf(
  metrics: Metrics | undefined,
  { metricsPort, metricsHost }: ServerOptions,
): Promise<{ address: string; close(): Promise<void> } | undefined> {
  if (!metrics || metricsPort === undefined) return undefined
  const { serveMetrics } = await import('../observe/metrics.ts')
  return serveMetrics(metrics, metricsPort, metricsHost)
}
