import { type Json, json } from '../../contract/call.ts'
import type { QueryOf } from '../../contract/operations.ts'
import type { IntakeEvent, Item } from '../../contract/resources/item.ts'
import { assert } from '../../domain/rejection.ts'
import { utcTime } from '../../domain/utc-time.ts'
import { narrowing } from '../../store/tables/documents.ts'
import {
  countIntakes,
  findIntakeNoFrom,
  findLastIntakeNo,
  type IntakeFilter,
  insertIntakes,
  intakeFilters,
  listIntakeDocs,
} from '../../store/tables/intakes.ts'
import type { ItemRecord } from '../../store/tables/items.ts'
import { type Handler, offsetOf, type ReadContext, type UnitOfWork } from '../context.ts'

type IntakesQuery = QueryOf<'listIntakes'>

/**
 * GET /intakes (4.3): newest first, each with the item as it was then (decisions 11). From `intake_after`, before
 * `intake_before`. Numbers have no gaps and times never go back, so times become numbers: a far page and the total are as fast as
 * the first page.
 */
export const listIntakes: Handler<'listIntakes', 'query'> = async (view, { query }) => {
  const { tx, scope } = view
  const { page_size } = query
  const offset = offsetOf(query)
  const isAll = narrowing<'listIntakes'>(intakeFilters, query, scope.id).counted === 'in all'
  if (query.intake_after === undefined && query.intake_before === undefined && (offset === 0 || !isAll)) {
    const filter = { ...query, from: 1, to: Number.MAX_SAFE_INTEGER }
    const [docs, total] = await Promise.all([
      listIntakeDocs(tx, filter, page_size, offset),
      isAll ? findLastIntakeNo(tx) : countIntakes(tx, filter),
    ])
    return { docs, total }
  }
  const filter = await filterOf(view, query)
  if (isAll) {
    const docs = await listIntakeDocs(tx, { ...filter, to: filter.to - offset }, page_size, 0)
    return { docs, total: Math.max(0, filter.to - filter.from) }
  }
  const docs = await listIntakeDocs(tx, filter, page_size, offset)
  return { docs, total: await countIntakes(tx, filter) }
}

async function filterOf(view: ReadContext, query: IntakesQuery): Promise<IntakeFilter> {
  const end = (await findLastIntakeNo(view.tx)) + 1
  const { intake_after, intake_before } = query
  return {
    ...query,
    from: intake_after === undefined ? 1 : await numberFrom(view, intake_after, end),
    to: intake_before === undefined ? end : await numberFrom(view, intake_before, end),
  }
}

async function numberFrom({ tx }: ReadContext, time: string, end: number): Promise<number> {
  return (await findIntakeNoFrom(tx, utcTime(time))) ?? end
}

/** The change when an item repeats intake (3.3): no fulfillment holds it; its manifest line stays. */
export function intakeChange({ now }: UnitOfWork) {
  return { item: { active_fulfillment_id: null, intake_at: now }, facts: { condition_flags: [] } }
}

/** Records intakes (2.6) with the item as it was then, and emits the same bytes (decisions 11). */
export async function recordIntakes(
  work: UnitOfWork,
  entries: ReadonlyArray<{ record: ItemRecord; doc: Json<Item> }>,
): Promise<Array<Json<IntakeEvent>>> {
  const intakes = entries.map(({ record, doc }) => {
    const { item, manifest_id, condition_flags } = record
    assert(item.status === 'received', 'an intake has a received item', item.qid, item.status)
    assert(item.active_fulfillment_id === null, 'a received item is on no order', item.qid)
    assert(item.intake_at === work.now, 'an intake has the current time', item.qid, item.intake_at, work.now)
    assert(doc.startsWith('{'), 'an intake has its item', item.qid, doc)
    const head = {
      qid: item.qid,
      intake_at: item.intake_at,
      manifest_id,
      manifest_line_id: item.manifest_line_id,
      condition_flags: [...condition_flags],
    }
    const intake: Json<IntakeEvent> = `${json(head).slice(0, -1)},"item":${doc}}`
    return { intake_no: work.nextIntakeNo(), event: { ...head, item }, doc: intake }
  })
  await insertIntakes(work.tx, intakes)
  for (const { doc } of intakes) work.emit('item.intake.completed', doc)
  work.count('intakes', '', intakes.length)
  return intakes.map(({ doc }) => doc)
}
