import type { Json } from '../../contract/call.ts'
import type { FulfillmentStatus, ProcessingStage } from '../../contract/enums.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import type { Tx } from '../database.ts'
import { empty, join, padded, type Sql, sql, upsert } from '../sql.ts'

/** A fulfillment and what the database keeps of it beside its wire form. */
export type FulfillmentRecord = {
  fulfillment: Fulfillment
  has_shipped: boolean
  /** The stage that an exception interrupted. */
  interrupted_stage: ProcessingStage | null
}

export type FulfillmentFilter = {
  status?: FulfillmentStatus | undefined
  external_ref?: string | undefined
  /** Any of them. */
  external_refs?: readonly string[] | undefined
  /** Canonical. */
  qid?: string | undefined
}

type FulfillmentRow = { has_shipped: number; interrupted_stage: ProcessingStage | null; doc: string }

/** Inserts or updates a fulfillment. */
export async function saveFulfillment(
  tx: Tx,
  scopeId: number,
  record: FulfillmentRecord,
  doc: Json<Fulfillment>,
): Promise<void> {
  const { fulfillment, interrupted_stage } = record
  const has_shipped = record.has_shipped ? 1 : 0
  const row = { scope_id: scopeId, ...fulfillmentColumns(fulfillment), has_shipped, interrupted_stage, doc }
  await tx.change(upsert('fulfillments', row, ['status', 'has_shipped', 'interrupted_stage', 'doc']))
}

/** The columns derived from a fulfillment's document. This is the only place that derives them, for storing and for checking. */
export function fulfillmentColumns({ id, status, external_ref }: Fulfillment) {
  return { id, status, external_ref: external_ref ?? null }
}

/** Stores which items a new fulfillment has; that never changes. */
export async function insertFulfillmentItems(
  tx: Tx,
  scopeId: number,
  fulfillment: Pick<Fulfillment, 'id' | 'qids'>,
): Promise<void> {
  const rows = fulfillment.qids.map((qid) => [scopeId, qid, fulfillment.id])
  await tx.insert('fulfillment_items', ['scope_id', 'qid', 'fulfillment_id'], rows)
}

/** The fulfillment with this id, in lower case; undefined where the scope has none. */
export async function findFulfillment(
  tx: Tx,
  scopeId: number,
  id: string,
): Promise<FulfillmentRecord | undefined> {
  const row = await tx.get<FulfillmentRow>(sql`
    select has_shipped, interrupted_stage, doc from fulfillments where scope_id = ${scopeId} and id = ${id}`)
  return (
    row && {
      fulfillment: JSON.parse(row.doc),
      has_shipped: row.has_shipped === 1,
      interrupted_stage: row.interrupted_stage,
    }
  )
}

export async function findFulfillmentDoc(
  tx: Tx,
  scopeId: number,
  id: string,
): Promise<Json<Fulfillment> | undefined> {
  const row = await tx.get<{ doc: string }>(
    sql`select doc from fulfillments where scope_id = ${scopeId} and id = ${id}`,
  )
  return row?.doc
}

/** The id of the newest fulfillment that an item was ever in. */
export async function findLastFulfillmentId(
  tx: Tx,
  scopeId: number,
  qid: string,
): Promise<string | undefined> {
  const row = await tx.get<{ fulfillment_id: string }>(sql`
    select fulfillment_id from fulfillment_items where scope_id = ${scopeId} and qid = ${qid}
    order by fulfillment_id desc limit 1`)
  return row?.fulfillment_id
}

/**
 * Newest first: identifiers ascend with time. The page's ids come from an index that covers the filter: in a single select,
 * SQLite would walk every row of the scope in the order of ids.
 */
export async function listFulfillmentDocs(
  tx: Tx,
  scopeId: number,
  filter: FulfillmentFilter,
  limit: number,
  offset: number,
): Promise<Array<Json<Fulfillment>>> {
  const rows = await tx.all<{ doc: string }>(sql`
    select doc from fulfillments where scope_id = ${scopeId} and id in (
      select id from fulfillments where scope_id = ${scopeId} ${filtered(scopeId, filter)}
      order by id desc limit ${limit} offset ${offset})
    order by id desc`)
  return rows.map((row) => row.doc)
}

/** How many fulfillments match the filter, counted in an index. Without a filter, or by status alone, use the kept counts. */
export async function countFulfillments(tx: Tx, scopeId: number, filter: FulfillmentFilter): Promise<number> {
  const row = await tx.get<{ n: number }>(
    sql`select count(*) as n from fulfillments where scope_id = ${scopeId} ${filtered(scopeId, filter)}`,
  )
  return row?.n ?? 0
}

function filtered(scopeId: number, { status, external_ref, external_refs, qid }: FulfillmentFilter): Sql {
  const ofItem = sql`and id in (
    select fulfillment_id from fulfillment_items where scope_id = ${scopeId} and qid = ${qid ?? ''})`
  return sql`
    ${status === undefined ? empty : sql`and status = ${status}`}
    ${external_ref === undefined ? empty : sql`and external_ref = ${external_ref}`}
    ${external_refs === undefined ? empty : sql`and external_ref in (${join(padded(external_refs))})`}
    ${qid === undefined ? empty : ofItem}`
}
