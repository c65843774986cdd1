import { type Json, json } from '../../contract/call.ts'
import type { BodyOf, ResultOf } from '../../contract/operations.ts'
import { planClockAdvance } from '../../domain/scope-clock.ts'
import { readScopeClock } from '../../store/tables/scopes.ts'
import { atLast, type ReadContext, type SteppedWrite } from '../context.ts'
import { scopeTime } from '../scope-time.ts'
import { runDueSlice } from '../timed-work.ts'

/** GET /sandbox/clock (decisions 10): the scope's time. */
export async function getClock(view: ReadContext): Promise<Json<ResultOf<'getClock'>>> {
  const clock = await readScopeClock(view.tx)
  const now = scopeTime(view.sources, { ...view.scope, ...clock })
  return json({ now, offset_seconds: clock.clock_offset_ms / 1000 })
}

/** POST /sandbox/clock/advance (decisions 10, 11): forward only; first does the work that became due. Throws `invalid`. */
export function openClockAdvance(body: BodyOf<'advanceClock'>): SteppedWrite {
  return {
    end: atLast,
    async take(work, place, part) {
      if (place === 0) {
        const offset = work.advanceClock(planClockAdvance(work.now, body))
        part.created.push(json<ResultOf<'advanceClock'>>({ now: work.now, offset_seconds: offset / 1000 }))
      }
      return (await runDueSlice(work, work.now)) ? place + 1 : atLast
    },
    answer: async (parts) => parts.flatMap(({ created }) => created),
  }
}
