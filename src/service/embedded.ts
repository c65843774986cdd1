import type { Environment } from '../contract/enums.ts'
import { lastDueArrivalEnd } from '../domain/manifest-due.ts'
import { defaultSettings } from '../engine/settings.ts'
import type { TimedWorkOptions } from '../engine/timed-work.ts'
import { openView, type Settings, type Sources } from '../engine/work.ts'
import { type Database, StoreError } from '../store/database.ts'
import { hasDueManifest } from '../store/manifests.ts'
import { migrate, readVersion, schemaVersion } from '../store/migrate.ts'
import { findScope, type Scope } from '../store/scopes.ts'
import { randomPool } from './random-pool.ts'
import { createService, type LogEntry, type Service } from './service.ts'

export type Embedded = { service: Service; scope: Scope; db: Database; close(): Promise<void> }

export type EmbeddedOptions = {
  db: Database
  partner: string
  environment: Environment
  sources?: Sources
  settings?: Settings
  newRequestId?: () => string
  log?: (entry: LogEntry) => void
}

export const realSources: Sources = { clock: () => Date.now(), random: randomPool() }

/** The full service over a database, in process, as one partner: no key, no rate limit (decisions 3). */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { db, partner, environment, sources = realSources, settings = defaultSettings } = options
  const version = await readVersion(db)
  if (version !== schemaVersion) await migrate(db)
  const found = await db.read((tx) => findScope(tx, partner, environment))
  const scope = found ?? (await makeScope(options, sources))
  await catchUp({ db, sources, settings, environment, scope })
  const { log, newRequestId } = options
  const service = createService({
    db,
    environment,
    sources,
    settings,
    principal: scope,
    eventPollMs: 100,
    ...(log && { log }),
    ...(newRequestId && { newRequestId }),
  })
  return { service, scope, db, close: () => db.close() }
}

async function makeScope({ db, partner, environment }: EmbeddedOptions, sources: Sources): Promise<Scope> {
  const { ensureScope } = await import('../engine/partners.ts')
  return db.write((tx) => ensureScope(tx, sources, partner, environment))
}

/**
 * No scheduler runs while no command does: what time has brought meanwhile is done first. Where that cannot be written
 * now, the next command that can write does it.
 */
async function catchUp(options: TimedWorkOptions & { scope: Scope }): Promise<void> {
  try {
    if (!(await isAnythingDue(options))) return
    const { runTimedWork } = await import('../engine/timed-work.ts')
    await runTimedWork(options)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

/** Asked first: what would do it is not loaded where there is nothing to do. */
async function isAnythingDue({
  db,
  scope,
  sources,
  settings,
}: TimedWorkOptions & { scope: Scope }): Promise<boolean> {
  return db.read(async (tx) => {
    const { now } = await openView(tx, scope, sources, settings)
    return hasDueManifest(tx, scope.id, lastDueArrivalEnd(now, settings.closeGraceDays))
  })
}
