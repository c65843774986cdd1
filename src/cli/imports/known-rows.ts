import type { Session } from '../command.ts'
import { createProgress } from '../output/progress.ts'
import { checkLocally } from './check-rows.ts'
import { rowsOfChunk } from './chunk-rows.ts'
import { earlierOrders } from './earlier/earlier-orders.ts'
import { orderedRows } from './earlier/ordered-rows.ts'
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
  try {
    for (const [index, chunk] of plan.chunks.entries()) {
      await progress.update(chunk.firstRow - 1, plan.rows, 'rows')
      const rows = rowsOfChunk(sending, chunk)
      const codes = sending.useLint ? kind.codes : []
      const { good } = checkLocally(plan.header, rows, kind.checker(plan.header, today), codes)
      const orders = kind.ordersIn(plan.header, good)
      const found = await earlier.find(orders)
      cancelled.push(...found.cancelled)
      const { changed } = found
      if (found.same.length + changed.length === 0) continue
      const settled = new Set([...found.same, ...changed.map(({ row }) => row)])
      const left = orders.filter(({ row }) => !settled.has(row))
      known.set(index + 1, {
        known: index + 1,
        same: rangesOf(found.same),
        changed,
        own_key: left.every(({ value }) => value.external_ref !== null),
      })
    }
  } finally {
    progress.end()
  }
  if (cancelled.length > 0) session.notice(cancelledSince(cancelled))
  return known
}

function cancelledSince(rows: readonly number[]): string {
  const [first] = rows
  const what =
    rows.length === 1
      ? `Row ${first} was`
      : `${rows.length.toLocaleString('en')} rows (the first is row ${first}) were`
  return `${what} ordered before and cancelled since; a file of what is to be ordered anew can be imported with --again.`
}
