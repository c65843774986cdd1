import type { Json } from '../../contract/call.ts'
import type { WebhookEventType } from '../../contract/enums.ts'
import type { EventPage } from '../../contract/resources/event.ts'
import { invalid } from '../../domain/rejection.ts'
import { firstUuidAt } from '../../domain/uuid.ts'
import type { ScopedTx } from '../../store/database.ts'
import { findEventSeq, findFirstSeqFrom, listPayloads } from '../../store/tables/webhooks/events.ts'
import type { Handler, ReadContext } from '../context.ts'

/**
 * GET /events (4.7): the log after a cursor, as the exact bytes pushed. Sequence numbers have no gaps in a scope, so a reader
 * never misses an event. Throws `invalid` on a cursor that is not this scope's.
 */
export const listEvents: Handler<'listEvents'> = async ({ tx }, { query }) => {
  const after = await placeOf(tx, query.starting_after)
  const rows = await listPayloads(tx, { after }, query, query.page_size + 1)
  return pageText(rows.slice(0, query.page_size), rows.length > query.page_size)
}

export async function placeOf(tx: ScopedTx, cursor: string | undefined): Promise<number> {
  const seq = cursor === undefined ? 0 : await findEventSeq(tx, cursor.toLowerCase())
  if (seq === undefined) throw invalid(unknownCursor)
  return seq
}

/** GET /events with `Prefer: last=N` (an extension), in creation order. `has_more` is false if they reach the log's end. */
export async function listLastEvents(
  { tx }: ReadContext,
  { count, before, type }: { count: number; before: string | undefined; type: WebhookEventType | undefined },
): Promise<Json<EventPage>> {
  const end = before === undefined ? undefined : await findFirstSeqFrom(tx, firstUuidAt(before))
  const rows = await listPayloads(tx, { before: end ?? Number.MAX_SAFE_INTEGER }, { type }, count)
  return pageText(rows.reverse(), end !== undefined)
}

function pageText(page: ReadonlyArray<{ id: string; payload: string }>, hasMore: boolean): Json<EventPage> {
  const last = page.at(-1)
  return (
    `{"has_more":${hasMore},"next_starting_after":${last ? `"${last.id}"` : 'null'},` +
    `"results":[${page.map(({ payload }) => payload).join(',')}]}`
  )
}

export function isEmptyEventPage(page: Json<EventPage>): boolean {
  return page.startsWith('{"has_more":false,"next_starting_after":null,')
}

export function nextCursor(page: Json<EventPage>): string | null {
  return /^\{"has_more":true,"next_starting_after":"([^"]{1,36})"/.exec(page)?.[1] ?? null
}

export const unknownCursor = {
  starting_after: ['is not an event of this log; start without it, or from an event that you received'],
}
