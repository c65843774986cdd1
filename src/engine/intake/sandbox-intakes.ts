import type { Json } from '../../contract/call.ts'
import type { BodyOf, ResultOf } from '../../contract/operations.ts'
import { isOpen } from '../../domain/manifests/manifest.ts'
import { conflict } from '../../domain/refusal.ts'
import type { UnitOfWork } from '../context.ts'
import { loadManifest } from '../manifests/manifests.ts'
import { checkArrivals } from './arrivals.ts'
import { intakeArrivals } from './warehouse-intake.ts'

/**
 * POST /sandbox/intakes (decisions 10): simulated arrivals, taken in as the warehouse does it. Throws invalid, naming
 * `items[i]`; not_found for an unknown manifest; a conflict for a closed one (decisions 11).
 */
export async function createIntakes(
  work: UnitOfWork,
  { body }: { body: BodyOf<'createIntakes'> },
): Promise<Json<ResultOf<'createIntakes'>>> {
  await checkArrivals(work, body.items)
  const manifestId = body.manifest_id?.toLowerCase() ?? null
  if (manifestId !== null) await requireOpen(work, manifestId)
  return intakesBody(await intakeArrivals(work, body.items, { manifestId }))
}

/** Throws not_found, and a conflict where nothing can be received for the manifest any more. */
export async function requireOpen(work: UnitOfWork, manifestId: string): Promise<void> {
  const { manifest } = await loadManifest(work, manifestId)
  if (!isOpen(manifest.status))
    throw conflict('This manifest is closed: nothing can be received for it.', { status: manifest.status })
}

export function intakesBody(intakes: readonly string[]): Json<ResultOf<'createIntakes'>> {
  return `{"intakes":[${intakes.join(',')}]}`
}
