import type { Json } from '../../contract/call.ts'
import { arrivalsKnownDays, dayMs } from '../../contract/limits.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import { assert } from '../../domain/rejection.ts'
import {
  type ArrivalFile,
  findArrivalsByContent,
  findArrivalsByDelivery,
  insertArrivalFile,
} from '../../store/tables/arrival-files.ts'
import { findLastIntakeNo, listIntakeDocs } from '../../store/tables/intakes.ts'
import type { TimedReadContext, UnitOfWork } from '../context.ts'

/** `content`: hash of the arrivals; `delivery`: the warehouse's name for it. */
export type SentArrivals = { content: string; delivery: string | null; manifestId: string | null }

/** `repeated`: the same delivery's result; otherwise an earlier intake that blocks this one. */
type EarlierArrivals =
  | { kind: 'repeated'; intakes: Array<Json<IntakeEvent>> }
  | { kind: 'content' | 'delivery'; first: IntakeEvent; count: number }

/**
 * The same delivery with the same content and manifest returns its first result; if either differs, it blocks the intake. Without
 * a delivery name, equal content of the last 7 days blocks it (decisions 13).
 */
export async function findEarlierArrivals(
  view: TimedReadContext,
  { content, delivery, manifestId }: SentArrivals,
): Promise<EarlierArrivals | undefined> {
  const { tx, scope, now } = view
  if (delivery !== null) {
    const file = await findArrivalsByDelivery(tx, scope.id, delivery)
    if (!file) return undefined
    const isSame = file.content === content && file.manifest_id === manifestId
    return isSame
      ? { kind: 'repeated', intakes: await intakesOf(view, file) }
      : { kind: 'delivery', ...(await firstOf(view, file)) }
  }
  const file = await findArrivalsByContent(tx, scope.id, content)
  if (!file) return undefined
  const earlier = await firstOf(view, file)
  const since = Date.parse(now) - arrivalsKnownDays * dayMs
  return Date.parse(earlier.first.intake_at) >= since ? { kind: 'content', ...earlier } : undefined
}

/** Call in the receiving transaction: the file's intakes are the newest `count`. */
export async function keepArrivals(
  { tx, scope }: UnitOfWork,
  { content, delivery, manifestId }: SentArrivals,
  count: number,
): Promise<void> {
  const last_no = await findLastIntakeNo(tx, scope.id)
  assert(count > 0 && last_no >= count, 'a file brought the last intakes', scope.id, delivery, count, last_no)
  const file = { content, delivery, manifest_id: manifestId, first_no: last_no - count + 1, last_no }
  await insertArrivalFile(tx, scope.id, file)
}

async function firstOf(
  { tx, scope }: TimedReadContext,
  { first_no, last_no }: ArrivalFile,
): Promise<{ first: IntakeEvent; count: number }> {
  const docs = await listIntakeDocs(tx, scope.id, { from: first_no, to: first_no + 1 }, 1, 0)
  return { first: JSON.parse(docs[0] as string), count: last_no - first_no + 1 }
}

async function intakesOf(
  { tx, scope }: TimedReadContext,
  { first_no, last_no }: ArrivalFile,
): Promise<Array<Json<IntakeEvent>>> {
  const range = { from: first_no, to: last_no + 1 }
  const docs = await listIntakeDocs(tx, scope.id, range, last_no - first_no + 1, 0)
  assert(
    docs.length === last_no - first_no + 1,
    'every intake of a delivery exists',
    scope.id,
    first_no,
    last_no,
  )
  return docs.reverse()
}
