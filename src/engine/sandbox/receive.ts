import { receivedUnitsMax } from '../../contract/limits.ts'
import type { BodyOf } from '../../contract/operations.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import {
  certRandomBytes,
  checkReceive,
  planReceipt,
  receiveFaults,
  simulatedArrival,
  unknownLineFaults,
} from '../../domain/items/simulated-receipt.ts'
import { isOpen, type LineProgress } from '../../domain/manifests/manifest.ts'
import { conflict, type FieldErrors, type Given } from '../../domain/rejection.ts'
import { findLines, findProgress, type StoredLine } from '../../store/tables/manifest-lines.ts'
import { findManifest } from '../../store/tables/manifests.ts'
import type { ReadContext, StepPart, SteppedWrite, UnitOfWork } from '../context.ts'
import { loadCatalog, rejectFaulty, type WarehouseArrival } from '../intake/arrivals.ts'
import { intakeArrivals, type Looked, lookAhead } from '../intake/warehouse-intake.ts'
import { loadLines } from '../manifests/manifest-content.ts'
import { loadManifest } from '../manifests/manifests.ts'
import { inSlices, joinInTurns, yieldToEventLoop } from '../yield-to-event-loop.ts'

type Receive = BodyOf<'receiveManifest'>

const allReceived = receivedUnitsMax + 1
const namedAtOnce = 100

/**
 * Units to come at `place`, as of a claim. `isSure` until another write claims the scope between steps and may receive some. A
 * rollback, or another process doing the same, makes it stale.
 */
type Left = { place: number; claims: number; isSure: boolean; arrivals: readonly WarehouseArrival[] }

/** POST /sandbox/manifests/{manifest_id}/receive (decisions 10). Throws `invalid`, `not_found`, or a conflict if closed. */
export function openReceipt(manifestId: string, body: Receive): SteppedWrite {
  checkReceive(body)
  let left: Left | undefined
  return {
    end: allReceived,
    async take(work, place, part) {
      const judge = async () => body.lines && planReceipt(body, await awaitedLines(work, manifestId, body))
      if (!(await mayReceive(work, manifestId, place, judge))) return allReceived
      const { claims } = work.claim
      if (left?.place !== place)
        left = { place, claims, isSure: true, arrivals: await arrivalsFrom(work, manifestId, body, place) }
      const { arrivals } = left
      const isSure = left.isSure && claims <= left.claims + 1
      const some = arrivals.slice(0, arrivalsAtOnce)
      const due = isSure || body.lines ? some : await stillAwaited(work, some)
      part.created.push(...(await intakeArrivals(work, due, { manifestId })))
      const next = some.length < arrivals.length ? place + some.length : allReceived
      left = { place: next, claims, isSure, arrivals: arrivals.slice(some.length) }
      return next
    },
    answer: intakesBody,
  }
}

/** Arrivals after `place` units; full lines get none. The damaged one comes first, the extra one last. */
async function arrivalsFrom(
  work: UnitOfWork,
  manifestId: string,
  body: Receive,
  place: number,
): Promise<WarehouseArrival[]> {
  const request: Receive = place > 0 && body.outcome === 'damaged' ? { outcome: 'complete' } : body
  const arrivals: WarehouseArrival[] = []
  for (const units of planReceipt(request, await awaitedLines(work, manifestId, body))) {
    for (let n = 0; n < units.quantity; n++) {
      const arrival = simulatedArrival(units, work.random(certRandomBytes))
      arrivals.push({ ...arrival, line_id: units.isExtra ? undefined : units.line.id })
      await yieldToEventLoop()
    }
  }
  return body.lines ? arrivals.slice(place) : arrivals
}

export async function receiptFaults(
  view: ReadContext,
  manifestId: string,
  body: Given<Receive>,
): Promise<FieldErrors> {
  const faults = receiveFaults(body)
  if (!body.lines || !(await findManifest(view.tx, manifestId))) return faults
  const known = await namedLines(view, manifestId, body.lines)
  return { ...faults, ...unknownLineFaults(body.lines, new Set(known.map(({ line }) => line.id))) }
}

async function awaitedLines(
  view: ReadContext,
  manifestId: string,
  body: Receive,
): Promise<Array<{ line: ManifestLine; awaited: number }>> {
  const lines = await (body.lines ? namedLines(view, manifestId, body.lines) : loadLines(view.tx, manifestId))
  return lines.map((stored) => ({ line: stored.line, awaited: awaitedOf(stored) }))
}

async function namedLines(
  { tx }: ReadContext,
  manifestId: string,
  named: Given<NonNullable<Receive['lines']>>,
): Promise<StoredLine[]> {
  const ids = [...new Set(named.flatMap((line) => line?.line_id?.toLowerCase() ?? []))]
  const found: StoredLine[] = []
  await inSlices(ids, namedAtOnce, async (some) => {
    found.push(...(await findLines(tx, manifestId, some)))
  })
  return found
}

/** Other writes may have received some units between two steps. */
async function stillAwaited(
  { tx }: ReadContext,
  units: readonly WarehouseArrival[],
): Promise<WarehouseArrival[]> {
  // The extra unit is on no line.
  const awaited = new Map<string | undefined, number>([[undefined, 1]])
  const ids = new Set(units.flatMap(({ line_id }) => line_id ?? []))
  for (const line of await findProgress(tx, [...ids])) awaited.set(line.id, awaitedOf(line))
  return units.filter(({ line_id }) => {
    const n = awaited.get(line_id) as number
    awaited.set(line_id, n - 1)
    return n > 0
  })
}

function awaitedOf({ quantity, clean, flagged }: LineProgress): number {
  return quantity - clean - flagged
}

/** Arrivals per step: some milliseconds. */
const arrivalsAtOnce = 50

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
        rejectFaulty(items, await loadCatalog(work, items))
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
async function mayReceive(
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

async function intakesBody(parts: readonly StepPart[]): Promise<string[]> {
  return ['{"intakes":[', ...(await joinInTurns(parts.flatMap(({ created }) => created))), ']}']
}
