import type { Json } from '../../contract/call.ts'
import { arrivalsKnownDays, dayMs } from '../../contract/limits.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import { assert } from '../../domain/rejection.ts'
import {
  type ArrivalRange,
  findArrivalFile,
  insertArrivalFile,
  listArrivalUnits,
} from '../../store/tables/arrival-files.ts'
import { findIntakeNoFrom, findLastIntakeNo, listIntakeDocs } from '../../store/tables/intakes.ts'
import type { TimedReadContext, UnitOfWork } from '../context.ts'
import type { WarehouseArrival } from './arrivals.ts'

/** `content`: hash of the arrivals in `rows`; `delivery`: the warehouse's name for it. */
export type SentArrivals = {
  content: string
  rows: ReadonlyArray<{ arrival: Pick<WarehouseArrival, 'sku'>; quantity: number }>
  delivery: string | null
  manifestId: string | null
}

/** `repeated`: the same delivery's result; otherwise an earlier intake that blocks this one. */
export type EarlierArrivals =
  | { kind: 'repeated'; intakes: Array<Json<IntakeEvent>> }
  | { kind: 'content' | 'rows' | 'delivery'; first: IntakeEvent; count: number }

/** A file's rows are compared with those of files among this many of the newest intakes. */
const arrivalsComparedMax = 10_000

/**
 * The same delivery with the same content and manifest returns its first result; if either differs, it blocks the intake. Without
 * a delivery name, equal content of the last 7 days blocks it (decisions 13), and so do further rows next to those of such a file.
 */
export async function findEarlierArrivals(
  view: TimedReadContext,
  { content, rows, delivery, manifestId }: SentArrivals,
): Promise<EarlierArrivals | undefined> {
  const { tx, now } = view
  const file = await findArrivalFile(tx, delivery === null ? { content } : { delivery })
  if (delivery !== null) {
    if (!file) return undefined
    const isSame = file.content === content && file.manifest_id === manifestId
    return isSame
      ? { kind: 'repeated', intakes: await intakesOf(view, file) }
      : { kind: 'delivery', ...(await firstOf(view, file)) }
  }
  const since = new Date(Date.parse(now) - arrivalsKnownDays * dayMs).toISOString()
  const from = await findIntakeNoFrom(tx, since)
  if (from === undefined) return undefined
  if (file && file.first_no >= from) return { kind: 'content', ...(await firstOf(view, file)) }
  const compared = Math.max(from, (await findLastIntakeNo(tx)) - arrivalsComparedMax)
  const part = fileWithin(rows, await listArrivalUnits(tx, compared))
  return part && { kind: 'rows', ...(await firstOf(view, part)) }
}

/** The first file whose products are those of some rows, next to further rows or without slabs that it had. */
function fileWithin(
  rows: SentArrivals['rows'],
  known: Awaited<ReturnType<typeof listArrivalUnits>>,
): ArrivalRange | undefined {
  const units = unitsAfterRows(rows)
  const total = rows.reduce((sum, { quantity }) => sum + quantity, 0)
  const files = [...Map.groupBy(known, ({ first_no }) => first_no).values()]
  return files.find((file) => {
    const products = file.reduce((sum, each) => sum + each.units, 0)
    // With the same products and no slabs, only the contents decide.
    const isMore = total > products || file.some((each) => countOf(each) > products)
    // One product in the same number is common in different deliveries.
    return isMore && file.length > 1 && file.every((each) => units.get(each.sku)?.includes(each.units))
  })?.[0]
}

/** By SKU: its units after each of its rows. */
function unitsAfterRows(rows: SentArrivals['rows']): Map<string, number[]> {
  const units = new Map<string, number[]>()
  for (const { arrival, quantity } of rows) {
    const after = units.get(arrival.sku ?? '') ?? []
    after.push((after.at(-1) ?? 0) + quantity)
    units.set(arrival.sku ?? '', after)
  }
  return units
}

/** Call in the receiving transaction: the file's intakes are the newest `count`. */
export async function keepArrivals(
  { tx, scope }: UnitOfWork,
  { content, delivery, manifestId }: SentArrivals,
  count: number,
): Promise<void> {
  const last_no = await findLastIntakeNo(tx)
  assert(count > 0 && last_no >= count, 'a file brought the last intakes', scope.id, delivery, count, last_no)
  const file = { content, delivery, manifest_id: manifestId, first_no: last_no - count + 1, last_no }
  await insertArrivalFile(tx, file)
}

async function firstOf(
  { tx }: TimedReadContext,
  file: ArrivalRange,
): Promise<{ first: IntakeEvent; count: number }> {
  const docs = await listIntakeDocs(tx, { from: file.first_no, to: file.first_no + 1 }, 1, 0)
  return { first: JSON.parse(docs[0] as string), count: countOf(file) }
}

function countOf({ first_no, last_no }: ArrivalRange): number {
  return last_no - first_no + 1
}

async function intakesOf(
  { tx, scope }: TimedReadContext,
  file: ArrivalRange,
): Promise<Array<Json<IntakeEvent>>> {
  const { first_no, last_no } = file
  const docs = await listIntakeDocs(tx, { from: first_no, to: last_no + 1 }, countOf(file), 0)
  assert(docs.length === countOf(file), 'every intake of a delivery exists', scope.id, first_no, last_no)
  return docs.reverse()
}
