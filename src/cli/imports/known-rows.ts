import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Session } from '../command.ts'
import { createProgress } from '../output/progress.ts'
import { checkLocally } from './check-rows.ts'
import { rowsOfChunk } from './chunk-rows.ts'
import { earlierOrders, type FoundRow, rowJudge } from './earlier/earlier-orders.ts'
import { orderedRows } from './earlier/ordered-rows.ts'
import type { InDoubt } from './earlier/unanswered-orders.ts'
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
