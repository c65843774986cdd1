import type { Environment } from '../contract/enums.ts'
import { findGivenUp } from '../store/tables/manifests.ts'
import { listScopes, readScopeClock, type Scope } from '../store/tables/scopes.ts'
import type { Workplace } from './context.ts'
import { inWork } from './in-work.ts'
import { isTimeSure } from './machine-time.ts'
import { closeDueManifests, findDueManifests } from './manifests/manifest-close.ts'
import { removeGivenUp } from './manifests/manifest-submission.ts'
import { machineTime } from './scope-time.ts'

export type TimedWorkOptions = Workplace & {
  /** Only scopes of this environment. */
  environment: Environment
  /** Only this scope; left out: every scope of the environment. */
  scope?: Scope
}

/** Manifests closed in one transaction, so that the writers of a scope never wait long. */
const closesAtOnce = 10

/** A scope, and the time by which what it has is due. */
type Due = { scope: Scope; at: string }

/**
 * Does what the passing of time brings by itself: automatic close (3.1), and the end of submissions that were given up. It cannot be undone, so that it goes by the
 * machine's time and the scope's own offset, never by a scope's time that a wrong clock has carried ahead, and waits until
 * that time is sure. Cheap where nothing is due, and safe to run by any number of processes at once.
 */
export async function runTimedWork(options: TimedWorkOptions): Promise<void> {
  if (!(await isTimeSure(options.db, options.sources))) return
  for (const due of await findScopesWithWork(options)) await doAll(options, due)
}

async function findScopesWithWork(options: TimedWorkOptions): Promise<Due[]> {
  const { db, sources, settings, environment } = options
  return db.read(async (tx) => {
    const found: Due[] = []
    for (const scope of options.scope ? [options.scope] : await listScopes(tx)) {
      if (scope.environment !== environment) continue
      const at = machineTime(sources, await readScopeClock(tx, scope.id))
      const due = await findDueManifests({ tx, scope, sources, settings }, at, 1)
      if (due.length > 0 || (await findGivenUp(tx, scope.id))) found.push({ scope, at })
    }
    return found
  })
}

/** Looks again once the scope is claimed: another process may have done it meanwhile. */
async function doAll(options: TimedWorkOptions, { scope, at }: Due): Promise<void> {
  while (
    (await inWork(options, scope, (work) => closeDueManifests(work, at, closesAtOnce))) === closesAtOnce
  );
  while (await inWork(options, scope, removeGivenUp));
}
