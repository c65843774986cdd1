import { type WebhookEventType, webhookEventTypes } from '../../../contract/enums.ts'
import type { FiltersOf } from '../../../contract/operations.ts'
import { assert } from '../../../domain/rejection.ts'
import { insertRecords, join, padded, type ScopedTx, type Sql, sql } from '../../database.ts'
import { type FilterRules, narrowing } from '../documents.ts'

export type EventRow = {
  seq: number
  id: string
  type: WebhookEventType
  created_at: string
  payload: string
  /** The `traceparent` of the request that wrote it. */
  trace: string | null
}

type PayloadRow = Pick<EventRow, 'id' | 'payload'>

export async function insertEvents(tx: ScopedTx, events: readonly EventRow[]): Promise<void> {
  for (const { seq, id, payload } of events) {
    assert(seq >= 1, 'events are numbered from 1', tx.scope, seq, id)
    assert(payload !== '', 'an event has a payload', tx.scope, seq, id)
  }
  const rows = events.map(({ seq, id, type, created_at, payload, trace }) => ({
    scope_id: tx.scope,
    seq,
    id,
    type,
    created_at,
    payload,
    trace,
  }))
  await insertRecords(tx, 'events', rows)
}

export async function findEventSeq(tx: ScopedTx, id: string): Promise<number | undefined> {
  return tx.value(sql`select seq from events where scope_id = ${tx.scope} and id = ${id}`)
}

/** Payloads after a place of the log, in its order; or before one, newest first. */
export async function listPayloads(
  tx: ScopedTx,
  from: { after: number } | { before: number },
  query: FiltersOf<'listEvents'>,
  limit: number,
): Promise<PayloadRow[]> {
  const { where } = narrowing<'listEvents'>(eventFilters, query, tx.scope)
  const part =
    'after' in from
      ? sql`and seq > ${from.after} order by seq`
      : sql`and seq < ${from.before} order by seq desc`
  return tx.all(sql`
    select id, payload from events where scope_id = ${tx.scope} ${where} ${part} limit ${limit}`)
}

const eventFilters: FilterRules<'listEvents'> = { type: { where: (type) => sql`type = ${type}` } }

/** The first event whose id is `id` or later: ids ascend with the log. */
export async function findFirstSeqFrom(tx: ScopedTx, id: string): Promise<number | undefined> {
  return tx.value(sql`
    select seq from events where scope_id = ${tx.scope} and id >= ${id} order by id limit 1`)
}

type Payload = Pick<EventRow, 'payload' | 'trace'>

/** Exact bytes and trace. Throws if there is no such event. */
export async function loadPayload(tx: ScopedTx, seq: number): Promise<Payload> {
  const row = await tx.get<Payload>(
    sql`select payload, trace from events where scope_id = ${tx.scope} and seq = ${seq}`,
  )
  if (!row) throw new Error(`event ${seq} of scope ${tx.scope} is gone`)
  return row
}

/** Events of some types with `after` < seq ≤ `end`. */
export type Stretch = { after: number; end: number; types: readonly WebhookEventType[] }

/** A range up to this long is read whole, even for few types: an index scan takes less than a millisecond. */
const scannedMax = 1000

/** For `seq in (…)`, the first or last `limit` events. A long range uses the index of each type, to read no others. */
export function seqsIn(
  scopeId: number,
  { after, end, types }: Stretch,
  limit: number,
  order: 'first' | 'last' = 'first',
): Sql {
  const direction = order === 'first' ? sql`seq` : sql`seq desc`
  if (end - after <= scannedMax) {
    return sql`
      select seq from events
      where scope_id = ${scopeId} and seq > ${after} and seq <= ${end} and type in (${join(padded(types))})
      order by ${direction} limit ${limit}`
  }
  const ofEach = types.map(
    (type) => sql`
      select seq from (
        select seq from events where scope_id = ${scopeId} and type = ${type} and seq > ${after} and seq <= ${end}
        order by ${direction} limit ${limit}) of_type`,
  )
  return sql`select seq from (${join(ofEach, ' union all ')}) wanted order by ${direction} limit ${limit}`
}

/** Events per counter. */
const countedTogether = 1000

export function eventCountKey(type: WebhookEventType, seq: number): string {
  return `${type}|${String(Math.floor(seq / countedTogether)).padStart(10, '0')}`
}

/** Sums the counters, and counts at most a thousand events of each type at each end of the range. */
export async function countEvents(tx: ScopedTx, stretch: Stretch): Promise<number> {
  const { after, end, types } = stretch
  if (after >= end) return 0
  const upTo = (type: WebhookEventType, seq: number): Sql => sql`
    from events where scope_id = ${tx.scope} and type = ${type} and seq <= ${seq}
      and seq >= ${seq - (seq % countedTogether)}`
  const parts = types.map(
    (type) => sql`
      select n from counts where scope_id = ${tx.scope} and kind = 'events'
        and key >= ${eventCountKey(type, after)} and key < ${eventCountKey(type, end)}
      union all select count(*) ${upTo(type, end)} union all select -count(*) ${upTo(type, after)}`,
  )
  return tx.number(sql`select coalesce(sum(n), 0) as n from (${join(parts, ' union all ')}) counted`)
}

/** By type; types without events are missing. */
export async function lastSeqs(tx: ScopedTx): Promise<Map<WebhookEventType, number>> {
  const ofEach = webhookEventTypes.map(
    (type) =>
      sql`select ${type} as type, max(seq) as seq from events where scope_id = ${tx.scope} and type = ${type}`,
  )
  const rows = await tx.all<{ type: WebhookEventType; seq: number | null }>(join(ofEach, ' union all '))
  return new Map(rows.map(({ type, seq }) => [type, seq ?? 0]))
}
