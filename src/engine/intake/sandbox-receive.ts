import type { Json } from '../../contract/call.ts'
import type { BodyOf, ResultOf } from '../../contract/operations.ts'
import {
  type AwaitedLine,
  certRandomBytes,
  checkReceive,
  planReceipt,
  simulatedArrival,
} from '../../domain/items/simulated-receipt.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'
import { loadLines } from '../manifests/manifest-pages.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { WarehouseArrival } from './arrivals.ts'
import { intakesBody, requireOpen } from './sandbox-intakes.ts'
import { intakeArrivals } from './warehouse-intake.ts'

/**
 * POST /sandbox/manifests/{manifest_id}/receive (decisions 10): the manifest arrives, whole or with differences. Every
 * unit is scanned against its line. Throws invalid, not_found, and a conflict where the manifest is closed.
 */
export async function receiveManifest(
  work: UnitOfWork,
  { params, body }: { params: { manifest_id: string }; body: BodyOf<'receiveManifest'> },
): Promise<Json<ResultOf<'receiveManifest'>>> {
  const { manifest_id } = params
  checkReceive(body)
  await requireOpen(work, manifest_id)
  const arrivals: WarehouseArrival[] = []
  for (const units of planReceipt(body, await awaitedLines(work, manifest_id))) {
    for (let n = 0; n < units.quantity; n++) {
      const arrival = simulatedArrival(units, work.random(certRandomBytes))
      arrivals.push({ ...arrival, line_id: units.isExtra ? undefined : units.line.id })
      await yieldToEventLoop()
    }
  }
  return intakesBody(await intakeArrivals(work, arrivals, { manifestId: manifest_id }))
}

async function awaitedLines(view: ReadContext, manifestId: string): Promise<AwaitedLine[]> {
  const lines = await loadLines(view, manifestId)
  return lines.map(({ line, quantity, clean, flagged }) => ({ line, awaited: quantity - clean - flagged }))
}
