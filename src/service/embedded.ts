import { dayMs } from '../contract/limits.ts'
import { lastDueArrivalEnd } from '../domain/manifests/manifest.ts'
import { type ClockAndRandom, defaultSettings } from '../engine/context.ts'
import { machineTime } from '../engine/scope-time.ts'
import type { TimedWorkOptions } from '../engine/timed-work.ts'
import { runtime } from '../runtime/runtime.ts'
import { inScope, StoreError } from '../store/database.ts'
import { readVersion, schemaVersion } from '../store/schema-version.ts'
import { hasOldResults } from '../store/tables/idempotency.ts'
import { findOverdue } from '../store/tables/manifests.ts'
import { findScope, missingPartner, readScopeClock, type Scope } from '../store/tables/scopes.ts'
import type { ServiceOptions } from './context.ts'
import { createService, type Service } from './service.ts'

type Embedded = { service: Service; scope: Scope; close(): Promise<void> }

export type EmbeddedOptions = Pick<ServiceOptions, 'db' | 'environment' | 'newRequestId' | 'log'> &
  Partial<Pick<ServiceOptions, 'sources' | 'settings'>> & {
    partner: string
    /** Returns the error to throw for missing data. If it returns none, the data is created. */
    errorIfMissing?: (missing: MissingData) => Error | undefined
  }

export type MissingData = 'schema' | 'partners' | 'partner'

/** Far longer than a command replays results: a service over the same database may be configured to keep its own longer. */
const resultsKeptMs = 60 * dayMs
/** Maximum transactions that one command spends on deleting old stored results. */
const forgottenAtStart = 3

/** The full service over a database, in process, as one partner: no key, no rate limit (decisions 3). */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { db, partner, environment, sources = runtime, settings = defaultSettings } = options
  const version = await readVersion(db)
  if (version === 0) rejectMissing(options, 'schema')
  if (version !== schemaVersion) {
    const { migrate } = await import('../store/migrate.ts')
    await migrate(db)
  }
  const found = await db.read((tx) => findScope(tx, partner, environment))
  const scope = found ?? (await makeScope(options, sources))
  await catchUp({ db, sources, settings, environment, scope, lifetime: 'brief' })
  const service = createService({ ...options, sources, settings, principal: scope, eventPollMs: 100 })
  return { service, scope, close: () => db.close() }
}

async function makeScope(options: EmbeddedOptions, sources: ClockAndRandom): Promise<Scope> {
  const { db, partner, environment } = options
  const { ensureScope } = await import('../engine/partners.ts')
  return db.write(async (tx) => {
    rejectMissing(options, await missingPartner(tx, partner))
    return ensureScope(tx, sources, partner, environment)
  })
}

function rejectMissing({ errorIfMissing }: EmbeddedOptions, missing: MissingData | undefined): void {
  const error = missing && errorIfMissing?.(missing)
  if (error) throw error
}

/** No scheduler runs between commands, so each first does the work that is due, or leaves it for later if it cannot write. */
async function catchUp(options: TimedWorkOptions & { scope: Scope }): Promise<void> {
  try {
    const due = await dueWork(options)
    if (due.forgets) {
      const { forgetResultsOf } = await import('./jobs/retention.ts')
      let left = forgottenAtStart
      await forgetResultsOf(options, options.scope, resultsKeptMs, () => left-- > 0)
    }
    if (due.closes || due.forgets) {
      const { runTimedWork } = await import('../engine/timed-work.ts')
      await runTimedWork(options)
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

async function dueWork({
  db,
  scope,
  sources,
  settings,
}: TimedWorkOptions & { scope: Scope }): Promise<{ closes: boolean; forgets: boolean }> {
  const before = new Date(sources.clock() - resultsKeptMs).toISOString()
  return db.read(async (whole) => {
    const tx = inScope(whole, scope.id)
    const now = machineTime(sources.clock(), await readScopeClock(tx))
    const due = await findOverdue(tx, lastDueArrivalEnd(now, settings.closeGraceDays))
    return { closes: due !== undefined, forgets: await hasOldResults(tx, { before, longBefore: before }) }
  })
}
