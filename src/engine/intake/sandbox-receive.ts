import { receivedUnitsMax } from '../../contract/limits.ts'
import type { BodyOf } from '../../contract/operations.ts'
import {
  type AwaitedLine,
  certRandomBytes,
  checkReceive,
  planReceipt,
  simulatedArrival,
} from '../../domain/items/simulated-receipt.ts'
import type { ReadContext, UnitOfWork } from '../context.ts'
import { loadLines } from '../manifests/manifest-pages.ts'
import type { SteppedWrite } from '../stepped-write.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { WarehouseArrival } from './arrivals.ts'
import { arrivalsAtOnce, intakesBody, mayReceive } from './sandbox-intakes.ts'
import { intakeArrivals } from './warehouse-intake.ts'

type Receive = BodyOf<'receiveManifest'>

/** More than any number of units. */
const allReceived = receivedUnitsMax + 1

/**
 * POST /sandbox/manifests/{manifest_id}/receive (decisions 10): the manifest arrives, whole or with differences. Every
 * unit is scanned against its line. Throws invalid, not_found, and a conflict where the manifest is closed.
 */
export function openReceipt(manifestId: string, body: Receive): SteppedWrite {
  checkReceive(body)
  /** The units still to come from a place on. A rollback, or another writer, makes it stale. */
  let left: { place: number; arrivals: readonly WarehouseArrival[] } | undefined
  return {
    end: allReceived,
    async take(work, place, part) {
      if (!(await mayReceive(work, manifestId, place))) return allReceived
      const arrivals =
        left?.place === place ? left.arrivals : await arrivalsFrom(work, manifestId, body, place)
      const some = arrivals.slice(0, arrivalsAtOnce)
      part.created.push(...(await intakeArrivals(work, some, { manifestId })))
      const next = some.length < arrivals.length ? place + some.length : allReceived
      left = { place: next, arrivals: arrivals.slice(some.length) }
      return next
    },
    answer: intakesBody,
  }
}

/**
 * The units to come once `place` of them have. What lines wait for tells it, since a line that has its units waits for none;
 * the unit that is damaged is the first, and the extra one the last. Lines that are named are taken in their order.
 */
async function arrivalsFrom(
  work: UnitOfWork,
  manifestId: string,
  body: Receive,
  place: number,
): Promise<WarehouseArrival[]> {
  const request: Receive = place > 0 && body.outcome === 'damaged' ? { outcome: 'complete' } : body
  const arrivals: WarehouseArrival[] = []
  for (const units of planReceipt(request, await awaitedLines(work, manifestId))) {
    for (let n = 0; n < units.quantity; n++) {
      const arrival = simulatedArrival(units, work.random(certRandomBytes))
      arrivals.push({ ...arrival, line_id: units.isExtra ? undefined : units.line.id })
      await yieldToEventLoop()
    }
  }
  return body.lines ? arrivals.slice(place) : arrivals
}

async function awaitedLines(view: ReadContext, manifestId: string): Promise<AwaitedLine[]> {
  const lines = await loadLines(view, manifestId)
  return lines.map(({ line, quantity, clean, flagged }) => ({ line, awaited: quantity - clean - flagged }))
}
