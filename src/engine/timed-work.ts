import type { Environment } from '../contract/enums.ts'
import { StoreError } from '../store/database.ts'
import { findIdentityBacklog } from '../store/tables/order-identities.ts'
import { findUnsettled } from '../store/tables/pending-manifests.ts'
import { listScopes, readScopeClock, type Scope } from '../store/tables/scopes.ts'
import { type ReadContext, stepTimer, type UnitOfWork, type Workplace } from './context.ts'
import { closeDue, findDueManifest, removeLines, settleLines } from './manifests/manifest-submission.ts'
import { fillIdentities } from './repeats.ts'
import { certainTime, machineTime, type TimePlace } from './scope-time.ts'
import { inUnitOfWork, readContext } from './unit-of-work.ts'
import { letRequestsIn } from './yield-to-event-loop.ts'

export type TimedWorkOptions = Workplace &
  TimePlace & {
    environment: Environment
    /** Default: every scope of the environment. */
    scope?: Scope
    /** Called between transactions; default: run until all is done. */
    mayContinue?: () => boolean
    /** Default: throw the error. */
    onFault?: OnScopeFault
  }

export type OnScopeFault = (error: unknown, partner: string) => void

/** `at`: the time that decides what is due; null if it is uncertain. */
type Due = { scope: Scope; at: string | null }

/**
 * Automatic close (3.1). It cannot be undone, so it uses the machine's time plus the scope's offset, never a scope time that a
 * wrong clock pushed ahead, and waits until that is certain. Finishing closed or abandoned manifests needs no time. Cheap if
 * nothing is due, and safe in any number of processes.
 */
export async function runTimedWork(options: TimedWorkOptions): Promise<void> {
  const { mayContinue = () => true } = options
  const sure = await certainTime(options)
  for (const { scope, at } of await findScopesWithWork(options, sure)) {
    // Look again after the claim: another process may have closed the manifest.
    await apart(scope, options.onFault, async () => {
      while (mayContinue() && (await inUnitOfWork(options, scope, (work) => runDueSlice(work, at))))
        await letRequestsIn()
    })
  }
}

/** Reports a scope's error and continues with others; throws if no scope can be worked on. */
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
  const { db, environment } = options
  return db.read(async (tx) => {
    const found: Due[] = []
    for (const scope of options.scope ? [options.scope] : await listScopes(tx)) {
      if (scope.environment !== environment) continue
      const view = readContext(tx, scope, options)
      const at = sure === null ? null : machineTime(sure, await readScopeClock(view.tx))
      const { due, pending, backlog } = await findWork(view, at)
      if (due ?? pending ?? backlog) found.push({ scope, at })
    }
    return found
  })
}

/** Shorter than a step of a request, because every request may wait for one of these slices. */
const sliceMs = 8

/** Works for some milliseconds on what is due at `at` and on unfinished closing. Returns whether there may be more. */
export async function runDueSlice(work: UnitOfWork, at: string | null): Promise<boolean> {
  const mayContinue = stepTimer(work.sources, sliceMs)
  do {
    const { due, pending, backlog } = await findWork(work, at)
    if (due) await closeDue(work, due.manifest.id)
    else if (pending)
      await (pending.is_closed === 1 ? settleLines(work, pending) : removeLines(work, pending))
    else if (!backlog || !(await fillIdentities(work))) return false
  } while (mayContinue())
  return true
}

async function findWork(view: ReadContext, at: string | null) {
  const [due, pending, backlog] = await Promise.all([
    at === null ? undefined : findDueManifest(view, at),
    findUnsettled(view.tx),
    findIdentityBacklog(view.tx),
  ])
  return { due, pending, backlog }
}
