import type { WebhookEventType } from '../../contract/enums.ts'
import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'

export type EventRow = {
  seq: number
  id: string
  type: WebhookEventType
  created_at: string
  payload: string
}

export async function insertEvents(tx: Tx, scopeId: number, events: readonly EventRow[]): Promise<void> {
  await tx.insert(
    'events',
    ['scope_id', 'seq', 'id', 'type', 'created_at', 'payload'],
    events.map((event) => [scopeId, event.seq, event.id, event.type, event.created_at, event.payload]),
  )
}

/** The place of an event in its scope's log; undefined where the scope has no such event. */
export async function findEventSeq(tx: Tx, scopeId: number, id: string): Promise<number | undefined> {
  const row = await tx.get<{ seq: number }>(
    sql`select seq from events where scope_id = ${scopeId} and id = ${id}`,
  )
  return row?.seq
}

/** Payloads after `seq`, in order. */
export async function listEventsAfter(
  tx: Tx,
  scopeId: number,
  seq: number,
  type: WebhookEventType | undefined,
  limit: number,
): Promise<Array<{ id: string; payload: string }>> {
  if (type === undefined) {
    return tx.all(sql`
      select id, payload from events where scope_id = ${scopeId} and seq > ${seq} order by seq limit ${limit}`)
  }
  return tx.all(sql`
    select id, payload from events where scope_id = ${scopeId} and type = ${type} and seq > ${seq}
    order by seq limit ${limit}`)
}

/** The last payloads before `seq`, the last one first. */
export async function listEventsBefore(
  tx: Tx,
  scopeId: number,
  seq: number,
  type: WebhookEventType | undefined,
  limit: number,
): Promise<Array<{ id: string; payload: string }>> {
  if (type === undefined) {
    return tx.all(sql`
      select id, payload from events where scope_id = ${scopeId} and seq < ${seq} order by seq desc limit ${limit}`)
  }
  return tx.all(sql`
    select id, payload from events where scope_id = ${scopeId} and type = ${type} and seq < ${seq}
    order by seq desc limit ${limit}`)
}

/** Events after `seq` without their payloads, in order. */
export async function listEventHeads(
  tx: Tx,
  scopeId: number,
  seq: number,
  limit: number,
): Promise<Array<Pick<EventRow, 'seq' | 'id' | 'type'>>> {
  return tx.all(sql`
    select seq, id, type from events where scope_id = ${scopeId} and seq > ${seq} order by seq limit ${limit}`)
}

/** The place of the first event whose id is `id` or later: identifiers ascend with the log. */
export async function findFirstSeqFrom(tx: Tx, scopeId: number, id: string): Promise<number | undefined> {
  const row = await tx.get<{ seq: number }>(sql`
    select seq from events where scope_id = ${scopeId} and id >= ${id} order by id limit 1`)
  return row?.seq
}

/** The exact bytes of the event at this place. */
export async function findPayload(tx: Tx, scopeId: number, seq: number): Promise<string | undefined> {
  const row = await tx.get<{ payload: string }>(
    sql`select payload from events where scope_id = ${scopeId} and seq = ${seq}`,
  )
  return row?.payload
}
