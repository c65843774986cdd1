import type { QueryOf } from '../../contract/operations.ts'
import type { IntakeEvent } from '../../contract/resources/item.ts'
import { utcTime } from '../../domain/utc-time.ts'
import { narrowing } from '../../store/tables/documents.ts'
import {
  countIntakes,
  findIntakeNoFrom,
  findLastIntakeNo,
  type IntakeFilter,
  intakeFilters,
  listIntakeDocs,
} from '../../store/tables/intakes.ts'
import type { ReadContext } from '../context.ts'
import { type Listing, offsetOf } from '../listing.ts'

type IntakesQuery = QueryOf<'listIntakes'>

/**
 * GET /intakes (4.3): newest first, each with the item as it was then (decisions 11). From `intake_after`, before
 * `intake_before`. Numbers have no gaps and times never go back, so times become numbers: a far page and the total are as fast as
 * the first page.
 */
export async function listIntakes(
  view: ReadContext,
  { query }: { query: IntakesQuery },
): Promise<Listing<IntakeEvent>> {
  const { tx, scope } = view
  const { page_size } = query
  const offset = offsetOf(query)
  const isAll = narrowing<'listIntakes'>(intakeFilters, query, scope.id).counted === 'in all'
  if (query.intake_after === undefined && query.intake_before === undefined && (offset === 0 || !isAll)) {
    const filter = { ...query, from: 1, to: Number.MAX_SAFE_INTEGER }
    const [docs, total] = await Promise.all([
      listIntakeDocs(tx, scope.id, filter, page_size, offset),
      isAll ? findLastIntakeNo(tx, scope.id) : countIntakes(tx, scope.id, filter),
    ])
    return { docs, total }
  }
  const filter = await filterOf(view, query)
  if (isAll) {
    const docs = await listIntakeDocs(tx, scope.id, { ...filter, to: filter.to - offset }, page_size, 0)
    return { docs, total: Math.max(0, filter.to - filter.from) }
  }
  const docs = await listIntakeDocs(tx, scope.id, filter, page_size, offset)
  return { docs, total: await countIntakes(tx, scope.id, filter) }
}

async function filterOf(view: ReadContext, query: IntakesQuery): Promise<IntakeFilter> {
  const end = (await findLastIntakeNo(view.tx, view.scope.id)) + 1
  const { intake_after, intake_before } = query
  return {
    ...query,
    from: intake_after === undefined ? 1 : await numberFrom(view, intake_after, end),
    to: intake_before === undefined ? end : await numberFrom(view, intake_before, end),
  }
}

async function numberFrom({ tx, scope }: ReadContext, time: string, end: number): Promise<number> {
  return (await findIntakeNoFrom(tx, scope.id, utcTime(time))) ?? end
}
