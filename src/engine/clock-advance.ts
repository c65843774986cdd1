import { json } from '../contract/call.ts'
import type { BodyOf, ResultOf } from '../contract/operations.ts'
import { planClockAdvance } from '../domain/scope-clock.ts'
import { atLast, type SteppedWrite } from './stepped-write.ts'
import { doSomeDue } from './timed-work.ts'

/**
 * POST /sandbox/clock/advance (decisions 10, 11): forward only, by `seconds` or to the instant `to`. What became due is
 * done before it is answered, at the new time. Throws invalid.
 */
export function openClockAdvance(body: BodyOf<'advanceClock'>): SteppedWrite {
  return {
    end: atLast,
    async take(work, place, part) {
      if (place === 0) {
        const offset = work.advanceClock(planClockAdvance(work.now, body))
        part.created.push(json<ResultOf<'advanceClock'>>({ now: work.now, offset_seconds: offset / 1000 }))
      }
      return (await doSomeDue(work, work.now)) ? place + 1 : atLast
    },
    answer: async (parts) => parts.flatMap(({ created }) => created),
  }
}
