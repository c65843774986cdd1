import type { Environment } from '../contract/enums.ts'
import { StoreError } from '../store/database.ts'
import { findIdentityBacklog } from '../store/tables/order-identities.ts'
import { listScopes, readScopeClock, type Scope } from '../store/tables/scopes.ts'
import { findUnsettled } from '../store/tables/shut-manifests.ts'
import type { UnitOfWork, Workplace } from './context.ts'
import { inWork } from './in-work.ts'
import { sureTime, type TimePlace } from './machine-time.ts'
import { closeOneDue, findDueManifest, settleLines } from './manifests/manifest-close.ts'
import { removeLines } from './manifests/manifest-submission.ts'
import { fillIdentities } from './repeats.ts'
import { machineTime } from './scope-time.ts'
import { stepTimer } from './stepped-write.ts'

export type TimedWorkOptions = Workplace &
  TimePlace & {
    /** Only scopes of this environment. */
    environment: Environment
    /** Only this scope; left out: every scope of the environment. */
    scope?: Scope
    /** Asked between its transactions; left out: until all is done. */
    mayGoOn?: () => boolean
    /** Left out: a fault is thrown. */
    onFault?: OnScopeFault
  }

/** Told of a fault in the work for one scope. */
export type OnScopeFault = (error: unknown, partner: string) => void

/** A scope and the time that decides what is due in it; null while that time is not certain. */
type Due = { scope: Scope; at: string | null }

/**
 * Does what the passing of time brings by itself: automatic close (3.1). It cannot be undone, so that it goes by the
 * machine's time and the scope's own offset, never by a scope's time that a wrong clock has carried ahead, and waits until
 * that time is sure. What closing and giving up have left to do waits for no time. Cheap where there is nothing, and safe to
 * run by any number of processes at once.
 */
export async function runTimedWork(options: TimedWorkOptions): Promise<void> {
  const { mayGoOn = () => true } = options
  const sure = await sureTime(options)
  for (const { scope, at } of await findScopesWithWork(options, sure)) {
    // Look again once the scope is claimed: another process may have done it meanwhile.
    await apart(scope, options.onFault, async () => {
      while (mayGoOn() && (await inWork(options, scope, (work) => doSomeDue(work, at))));
    })
  }
}

/** Works for one scope. Its fault is told and keeps nobody else waiting; where no scope can be worked for, it is thrown. */
export async function apart(
  scope: Scope,
  onFault: OnScopeFault | undefined,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isOfAll = error instanceof StoreError && error.fault !== 'busy' && error.fault !== 'corrupt'
    if (isOfAll || onFault === undefined) throw error
    onFault(error, scope.partner_name)
  }
}

async function findScopesWithWork(options: TimedWorkOptions, sure: number | null): Promise<Due[]> {
  const { db, sources, settings, environment } = options
  return db.read(async (tx) => {
    const found: Due[] = []
    for (const scope of options.scope ? [options.scope] : await listScopes(tx)) {
      if (scope.environment !== environment) continue
      const at = sure === null ? null : machineTime(sure, await readScopeClock(tx, scope.id))
      const due = at === null ? undefined : await findDueManifest({ tx, scope, sources, settings }, at)
      const isLeft = (await findUnsettled(tx, scope.id)) ?? (await findIdentityBacklog(tx, scope.id))
      if (due ?? isLeft) found.push({ scope, at })
    }
    return found
  })
}

/**
 * Does for some milliseconds what is due at a time, and what closing and giving up have left to do. Answers whether there may
 * be more.
 */
export async function doSomeDue(work: UnitOfWork, at: string | null): Promise<boolean> {
  const mayGoOn = stepTimer(work.sources)
  let isDone: boolean
  do
    isDone = !(
      (at !== null && (await closeOneDue(work, at))) ||
      (await settleOne(work)) ||
      (await fillIdentities(work))
    )
  while (!isDone && mayGoOn())
  return !isDone
}

/** Does the next piece of what is to be done to the lines of a manifest that was closed or given up. */
async function settleOne(work: UnitOfWork): Promise<boolean> {
  const shut = await findUnsettled(work.tx, work.scope.id)
  if (shut) await (shut.is_closed === 1 ? settleLines(work, shut) : removeLines(work, shut))
  return shut !== undefined
}
