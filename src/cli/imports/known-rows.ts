import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Session } from '../command.ts'
import { createProgress } from '../output/progress.ts'
import { checkedChunk } from './chunk-rows.ts'
import { earlierOrders, type FoundRow, rowJudge } from './earlier/earlier-orders.ts'
import { orderedRows } from './earlier/ordered-rows.ts'
import { isNewAndSpent } from './earlier/spent-key.ts'
import type { InDoubt } from './earlier/unanswered-orders.ts'
import type { FilePlan, PlannedChunk } from './file-plan.ts'
import { chunkKey } from './import-key.ts'
import { noDay } from './import-kind.ts'
import type { Journal, KnownRows } from './journal/journal.ts'
import { countInRanges, rangesOf } from './journal/row-ranges.ts'
import type { Sending } from './send-chunk.ts'

type Comparing = {
  /** Where journals are, and of which target. */
  folder: string
  target: string
  /** A UTC date. */
  today?: string
  inDoubt?: InDoubt
}

const noDoubt: InDoubt = () => undefined

/**
 * Compares every row with what was ordered before, while nothing of the file is sent: later its own orders would be among them.
 * Answers what was found by the number of the chunk, counted from 1.
 */
export async function knownRows(
  session: Session,
  sending: Sending,
  { folder, target, today = noDay, inDoubt = noDoubt }: Comparing,
): Promise<Map<number, KnownRows>> {
  const { plan, kind, client } = sending
  const known = new Map<number, KnownRows>()
  if (kind.ordersIn === undefined) return known
  const journal = await orderedRows(folder, { target, kind: kind.name }, (id) => kind.find(client, id))
  if (journal.isEmpty && inDoubt === noDoubt && !plan.header.includes('external_ref')) return known
  const earlier = earlierOrders(client, journal)
  const progress = createProgress(session.io, 'comparing')
  const cancelled: number[] = []
  const byChunk: ChunkFound[] = []
  const { judge, changed } = rowJudge(inDoubt)
  try {
    for (const chunk of plan.chunks) {
      await progress.update(chunk.firstRow - 1, plan.rows, 'rows')
      const found = await earlier.find(ordersOf(sending, chunk, today))
      const isUnknown = ({ isSame, value }: FoundRow) => !isSame && value.external_ref === null
      const { same, cancelled: since } = judge(found)
      cancelled.push(...since)
      byChunk.push({ same, changed: [], ownKey: !found.some(isUnknown) })
    }
    for (const error of changed()) byChunk[chunkOf(plan, error.row)]?.changed.push(error)
  } finally {
    progress.end()
  }
  if (cancelled.length > 0) session.notice(cancelledSince(cancelled))
  for (const [index, { same, changed, ownKey }] of byChunk.entries()) {
    if (same.length + changed.length === 0) continue
    known.set(index + 1, { known: index + 1, same: rangesOf(same), changed, own_key: ownKey })
  }
  return known
}

/**
 * Leaves out what was found of chunks that have been sent, or are just now, from another machine, where the same file has the same
 * key: they are sent whole, for that result. Of the others nothing can come late any more.
 */
export async function unlessSentElsewhere(
  { client, kind, plan }: Sending,
  key: string,
  known: Journal['known'],
): Promise<Journal['known']> {
  const left = new Map(known)
  for (const [chunk, { own_key, same, changed }] of known) {
    const isAllKnown = countInRanges(same) + changed.length === plan.chunks[chunk - 1]?.rows
    if (!own_key || isAllKnown) continue
    if (!(await isNewAndSpent(kind, client, chunkKey(key, chunk, plan.chunks.length)))) left.delete(chunk)
  }
  return left
}

type ChunkFound = { same: number[]; changed: CsvRowError[]; ownKey: boolean }

function ordersOf(sending: Sending, chunk: PlannedChunk, today: string) {
  const { plan, kind } = sending
  const { good } = checkedChunk(sending, chunk, today)
  return kind.ordersIn?.(plan.header, good) ?? []
}

function chunkOf({ chunks }: FilePlan, row: number): number {
  return chunks.findLastIndex(({ firstRow }) => firstRow <= row)
}

function cancelledSince(rows: readonly number[]): string {
  const [first] = rows
  const what =
    rows.length === 1
      ? `Row ${first} was`
      : `${rows.length.toLocaleString('en')} rows (the first is row ${first}) were`
  return `${what} ordered before and cancelled since; a file of what is to be ordered anew can be imported with --again.`
}
