import type { Environment } from '../contract/enums.ts'
import { listScopes, type Scope } from '../store/tables/scopes.ts'
import type { Workplace } from './context.ts'
import { inWork } from './in-work.ts'
import { closeDueManifests, findDueManifests } from './manifests/manifest-close.ts'
import { atScopeTime } from './unit-of-work.ts'

export type TimedWorkOptions = Workplace & {
  /** Only scopes of this environment. */
  environment: Environment
  /** Only this scope; left out: every scope of the environment. */
  scope?: Scope
}

/** Manifests closed in one transaction, so that the writers of a scope never wait long. */
const closesAtOnce = 10

/**
 * Does what the passing of time brings by itself, in each scope by its own clock: automatic close (3.1). Cheap where
 * nothing is due, and safe to run by any number of processes at once.
 */
export async function runTimedWork(options: TimedWorkOptions): Promise<void> {
  for (const scope of await findScopesWithWork(options)) await closeAll(options, scope)
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

/** Looks again once the scope is claimed: another process may have closed them meanwhile. */
async function closeAll(options: TimedWorkOptions, scope: Scope): Promise<void> {
  while ((await inWork(options, scope, (work) => closeDueManifests(work, closesAtOnce))) === closesAtOnce);
}
