import type { Environment } from '../contract/enums.ts'
import type { Database } from '../store/database.ts'
import { listScopes, type Scope } from '../store/tables/scopes.ts'
import type { ClockAndRandom, Settings } from './context.ts'
import { closeDueManifests, findDueManifests } from './manifests/manifest-close.ts'
import { atScopeTime, openWork } from './unit-of-work.ts'

export type TimedWorkOptions = {
  db: Database
  sources: ClockAndRandom
  settings: Settings
  /** Only scopes of this environment. */
  environment: Environment
  /** Only this scope; left out: every scope of the environment. */
  scope?: Scope
}

/** Manifests closed in one transaction, so that the writers of a scope never wait long. */
const closesAtOnce = 10

/**
 * Does what the passing of time brings by itself, in each scope by its own clock: automatic close (3.1). Cheap where
 * nothing is due, and safe to run by any number of processes at once. Answers the ids of the scopes that have new events.
 */
export async function runTimedWork(options: TimedWorkOptions): Promise<number[]> {
  const changed: number[] = []
  for (const scope of await findScopesWithWork(options)) {
    if (await closeAll(options, scope)) changed.push(scope.id)
  }
  return changed
}

async function findScopesWithWork(options: TimedWorkOptions): Promise<Scope[]> {
  const { db, sources, settings, environment } = options
  return db.read(async (tx) => {
    const found: Scope[] = []
    for (const scope of options.scope ? [options.scope] : await listScopes(tx)) {
      if (scope.environment !== environment) continue
      const due = await findDueManifests(await atScopeTime({ tx, scope, sources, settings }), 1)
      if (due.length > 0) found.push(scope)
    }
    return found
  })
}

/** Answers whether it closed any. */
async function closeAll(options: TimedWorkOptions, scope: Scope): Promise<boolean> {
  let hasClosed = false
  for (;;) {
    const closed = await closeSome(options, scope)
    hasClosed ||= closed > 0
    if (closed < closesAtOnce) return hasClosed
  }
}

/** Looks again once the scope is claimed: another process may have closed them meanwhile. */
async function closeSome({ db, sources, settings }: TimedWorkOptions, scope: Scope): Promise<number> {
  return db.write(async (tx) => {
    const work = await openWork(tx, scope, sources, settings)
    const closed = await closeDueManifests(work, closesAtOnce)
    await work.finish()
    return closed
  })
}
