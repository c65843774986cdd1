import { type Json, json } from '../contract/call.ts'
import type { BodyOf, ResultOf } from '../contract/operations.ts'
import { planClockAdvance } from '../domain/scope-clock.ts'
import { readScopeClock } from '../store/tables/scopes.ts'
import type { ReadContext, UnitOfWork } from './context.ts'
import { closeDueManifests } from './manifests/manifest-close.ts'
import { scopeTime } from './scope-time.ts'

/** GET /sandbox/clock (decisions 10): the time that this scope's domain goes by. */
export async function getClock(view: ReadContext): Promise<Json<ResultOf<'getClock'>>> {
  const clock = await readScopeClock(view.tx, view.scope.id)
  const now = scopeTime(view.sources, { ...view.scope, ...clock })
  return json({ now, offset_seconds: clock.clock_offset_ms / 1000 })
}

/**
 * POST /sandbox/clock/advance (decisions 10, 11): forward only, by `seconds` or to the instant `to`. What became due is
 * done at once and at the new time. Throws invalid.
 */
export async function advanceClock(
  work: UnitOfWork,
  { body }: { body: BodyOf<'advanceClock'> },
): Promise<Json<ResultOf<'advanceClock'>>> {
  const offset = work.advanceClock(planClockAdvance(work.now, body))
  await closeDueManifests(work, work.now)
  return json({ now: work.now, offset_seconds: offset / 1000 })
}
