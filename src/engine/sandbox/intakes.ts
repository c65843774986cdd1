import type { BodyOf } from '../../contract/operations.ts'
import { isOpen } from '../../domain/manifests/manifest.ts'
import { conflict } from '../../domain/rejection.ts'
import type { UnitOfWork } from '../context.ts'
import { checkArrivals } from '../intake/arrivals.ts'
import { intakeArrivals, type Looked, lookAhead } from '../intake/warehouse-intake.ts'
import { loadManifest } from '../manifests/manifests.ts'
import type { StepPart, SteppedWrite } from '../stepped-write.ts'
import { joinInTurns } from '../yield-to-event-loop.ts'

/** Arrivals per step: some milliseconds. */
export const arrivalsAtOnce = 50

/** POST /sandbox/intakes (decisions 10). Throws `invalid`, `not_found`, and a conflict for a closed manifest (decisions 11). */
export function openIntakes({ items, manifest_id }: BodyOf<'createIntakes'>): SteppedWrite {
  const manifestId = manifest_id?.toLowerCase() ?? null
  let looked: Looked | undefined
  return {
    end: items.length,
    async asks(view) {
      looked = await lookAhead(view, items.slice(0, arrivalsAtOnce), manifestId)
    },
    async take(work, place, part) {
      // `intakeArrivals` checks a single step without a manifest.
      if (place === 0 && (items.length > arrivalsAtOnce || manifestId !== null))
        await checkArrivals(work, items)
      if (manifestId !== null && !(await mayReceive(work, manifestId, place))) return items.length
      const some = items.slice(place, place + arrivalsAtOnce)
      part.created.push(...(await intakeArrivals(work, some, { manifestId, ...(place === 0 && { looked }) })))
      return place + some.length
    },
    answer: intakesBody,
  }
}

/**
 * Whether a manifest can still receive. Throws `not_found`, and a conflict if it was closed before the first step; `judge` may
 * throw before that (decisions 3). If it closes between steps, the rest is not received, and the answer shows that.
 */
export async function mayReceive(
  work: UnitOfWork,
  manifestId: string,
  place: number,
  judge?: () => Promise<unknown>,
): Promise<boolean> {
  const { manifest } = await loadManifest(work, manifestId)
  if (isOpen(manifest.status)) return true
  if (place > 0) return false
  await judge?.()
  throw conflict('This manifest is closed: nothing can be received for it.', { status: manifest.status })
}

export async function intakesBody(parts: readonly StepPart[]): Promise<string[]> {
  return ['{"intakes":[', ...(await joinInTurns(parts.flatMap(({ created }) => created))), ']}']
}
