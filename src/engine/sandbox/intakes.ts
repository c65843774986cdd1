import type { BodyOf } from '../../contract/operations.ts'
import { isOpen } from '../../domain/manifests/manifest.ts'
import { conflict } from '../../domain/refusal.ts'
import type { UnitOfWork } from '../context.ts'
import { checkArrivals } from '../intake/arrivals.ts'
import { intakeArrivals } from '../intake/warehouse-intake.ts'
import { loadManifest } from '../manifests/manifests.ts'
import type { StepPart, SteppedWrite } from '../stepped-write.ts'
import { joinInTurns } from '../yield-to-event-loop.ts'

/** Arrivals that are taken in at once: some milliseconds of work. */
export const arrivalsAtOnce = 50

/**
 * POST /sandbox/intakes (decisions 10): simulated arrivals, taken in as the warehouse does it. Throws invalid, naming
 * `items[i]`; not_found for an unknown manifest; a conflict for a closed one (decisions 11).
 */
export function openIntakes({ items, manifest_id }: BodyOf<'createIntakes'>): SteppedWrite {
  const manifestId = manifest_id?.toLowerCase() ?? null
  return {
    end: items.length,
    async take(work, place, part) {
      // Arrivals of one step and no manifest are judged by `intakeArrivals` alone.
      if (place === 0 && (items.length > arrivalsAtOnce || manifestId !== null))
        await checkArrivals(work, items)
      if (manifestId !== null && !(await mayReceive(work, manifestId, place))) return items.length
      const some = items.slice(place, place + arrivalsAtOnce)
      part.created.push(...(await intakeArrivals(work, some, { manifestId })))
      return place + some.length
    },
    answer: intakesBody,
  }
}

/**
 * Whether arrivals can be received for a manifest from a place on. Throws not_found, and a conflict where it is closed before the
 * first: `judge` throws what is to be told before that (decisions 3). Where it was closed between two steps, what came has come,
 * which the answer tells, and the rest stays away.
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
