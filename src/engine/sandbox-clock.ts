import { type Json, json } from '../contract/call.ts'
import type { ResultOf } from '../contract/operations.ts'
import { readScopeClock } from '../store/tables/scopes.ts'
import type { ReadContext } from './context.ts'
import { scopeTime } from './scope-time.ts'

/** GET /sandbox/clock (decisions 10): the time that this scope's domain goes by. */
export async function getClock(view: ReadContext): Promise<Json<ResultOf<'getClock'>>> {
  const clock = await readScopeClock(view.tx, view.scope.id)
  const now = scopeTime(view.sources, { ...view.scope, ...clock })
  return json({ now, offset_seconds: clock.clock_offset_ms / 1000 })
}
