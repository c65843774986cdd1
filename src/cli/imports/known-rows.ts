import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Session } from '../command.ts'
import { createProgress } from '../output/progress.ts'
import { checkLocally } from './check-rows.ts'
import { rowsOfChunk } from './chunk-rows.ts'
import { earlierOrders, type FoundRow, judged } from './earlier/earlier-orders.ts'
import { orderedRows } from './earlier/ordered-rows.ts'
import type { FilePlan, PlannedChunk } from './file-plan.ts'
import { noDay } from './import-kind.ts'
import type { KnownRows } from './journal/journal.ts'
import { rangesOf } from './journal/row-ranges.ts'
import type { Sending } from './send-chunk.ts'

type Comparing = {
  /** Where journals are, and of which target. */
  folder: string
  target: string
  /** A UTC date. */
  today?: string
}

/**
 * Compares every row with what was ordered before, while nothing of the file is sent: later its own orders would be among them.
 * Answers what was found by the number of the chunk, counted from 1.
 */
export async function knownRows(
  session: Session,
  sending: Sending,
  { folder, target, today = noDay }: Comparing,
): Promise<Map<number, KnownRows>> {
  const { plan, kind, client } = sending
  const known = new Map<number, KnownRows>()
  if (kind.ordersIn === undefined) return known
  const journal = await orderedRows(folder, { target, kind: kind.name }, (id) => kind.find(client, id))
  if (journal.isEmpty && !plan.header.includes('external_ref')) return known
  const earlier = earlierOrders(client, journal)
  const progress = createProgress(session.io, 'comparing')
  const cancelled: number[] = []
  const byChunk: ChunkFound[] = []
  // The rows of a reference that may go on in the next chunk are judged with those.
  let held: FoundRow[] = []
  try {
    for (const [index, chunk] of plan.chunks.entries()) {
      await progress.update(chunk.firstRow - 1, plan.rows, 'rows')
      const found = await earlier.find(ordersOf(sending, chunk, today))
      const isUnknown = ({ isSame, value }: FoundRow) => !isSame && value.external_ref === null
      byChunk.push({ same: [], changed: [], ownKey: !found.some(isUnknown) })
      const all = [...held, ...found]
      held = index + 1 < plan.chunks.length ? ofLastReference(all) : []
      const isHeld = new Set(held)
      const before = judged(all.filter((row) => !isHeld.has(row)))
      cancelled.push(...before.cancelled)
      for (const row of before.same) chunkOf(plan, byChunk, row)?.same.push(row)
      for (const error of before.changed) chunkOf(plan, byChunk, error.row)?.changed.push(error)
    }
  } finally {
    progress.end()
  }
  if (cancelled.length > 0) session.notice(cancelledSince(cancelled))
  for (const [index, { same, changed, ownKey }] of byChunk.entries()) {
    if (same.length + changed.length === 0) continue
    const ranges = rangesOf(same.sort((a, b) => a - b))
    known.set(index + 1, { known: index + 1, same: ranges, changed, own_key: ownKey })
  }
  return known
}

type ChunkFound = { same: number[]; changed: CsvRowError[]; ownKey: boolean }

function ordersOf(sending: Sending, chunk: PlannedChunk, today: string) {
  const { plan, kind, useLint } = sending
  const rows = rowsOfChunk(sending, chunk)
  const { good } = checkLocally(
    plan.header,
    rows,
    kind.checker(plan.header, today),
    useLint ? kind.codes : [],
  )
  return kind.ordersIn?.(plan.header, good) ?? []
}

function ofLastReference(found: readonly FoundRow[]): FoundRow[] {
  const last = found.at(-1)?.value.external_ref ?? null
  return last === null ? [] : found.filter(({ value }) => value.external_ref === last)
}

/** The chunk of a row, among those so far: the last one, except for rows that were held back. */
function chunkOf({ chunks }: FilePlan, found: readonly ChunkFound[], row: number): ChunkFound | undefined {
  let at = found.length - 1
  while (at > 0 && row < (chunks[at]?.firstRow ?? 0)) at -= 1
  return found[at]
}

function cancelledSince(rows: readonly number[]): string {
  const [first] = rows
  const what =
    rows.length === 1
      ? `Row ${first} was`
      : `${rows.length.toLocaleString('en')} rows (the first is row ${first}) were`
  return `${what} ordered before and cancelled since; a file of what is to be ordered anew can be imported with --again.`
}
