import type { Json } from '../../contract/call.ts'
import type { ProcessingStage } from '../../contract/enums.ts'
import type { Fulfillment, Transfer } from '../../contract/resources/fulfillment.ts'
import { canonicalQid } from '../../domain/items/qid.ts'
import { assert } from '../../domain/rejection.ts'
import { unicodeForms } from '../../domain/unicode-forms.ts'
import { insertRecords, type ScopedTx, sql, upsert } from '../database.ts'
import { anyOf, type FilterRules } from './documents.ts'

export type FulfillmentRecord = {
  fulfillment: Fulfillment
  has_shipped: boolean
  interrupted_stage: ProcessingStage | null
}

export async function saveFulfillment(
  tx: ScopedTx,
  record: FulfillmentRecord,
  doc: Json<Fulfillment>,
): Promise<void> {
  const { id, status, has_shipped, interrupted_stage } = fulfillmentRow(tx.scope, record, doc)
  await tx.change(sql`
    update fulfillments set status = ${status}, has_shipped = ${has_shipped},
      interrupted_stage = ${interrupted_stage}, doc = ${doc}
    where scope_id = ${tx.scope} and id = ${id}`)
}

function fulfillmentRow(
  scopeId: number,
  { fulfillment, has_shipped, interrupted_stage }: FulfillmentRecord,
  doc: Json<Fulfillment>,
) {
  assert(doc.includes(fulfillment.id), 'a document belongs to its order', fulfillment.id)
  const shipped = has_shipped ? 1 : 0
  return {
    scope_id: scopeId,
    ...fulfillmentColumns(fulfillment),
    has_shipped: shipped,
    interrupted_stage,
    doc,
  }
}

export function fulfillmentColumns({ id, status, external_ref }: Fulfillment) {
  return { id, status, external_ref: external_ref ?? null }
}

/** Also links their items; links never change. */
export async function insertFulfillments(
  tx: ScopedTx,
  opened: ReadonlyArray<{ record: FulfillmentRecord; doc: Json<Fulfillment> }>,
): Promise<void> {
  await insertRecords(
    tx,
    'fulfillments',
    opened.map(({ record, doc }) => fulfillmentRow(tx.scope, record, doc)),
  )
  const items = opened.flatMap(({ record: { fulfillment } }) =>
    fulfillment.qids.map((qid) => [tx.scope, qid, fulfillment.id]),
  )
  await tx.insert('fulfillment_items', ['scope_id', 'qid', 'fulfillment_id'], items)
}

/** `id` in lower case. */
export async function findFulfillment(tx: ScopedTx, id: string): Promise<FulfillmentRecord | undefined> {
  const row = await tx.get<{
    has_shipped: number
    interrupted_stage: ProcessingStage | null
    doc: string
  }>(sql`
    select has_shipped, interrupted_stage, doc from fulfillments where scope_id = ${tx.scope} and id = ${id}`)
  if (row === undefined) return undefined
  const { doc, has_shipped, interrupted_stage } = row
  return { fulfillment: JSON.parse(doc), has_shipped: has_shipped === 1, interrupted_stage }
}

export async function findLastFulfillmentId(tx: ScopedTx, qid: string): Promise<string | undefined> {
  return tx.value(sql`
    select fulfillment_id from fulfillment_items where scope_id = ${tx.scope} and qid = ${qid}
    order by fulfillment_id desc limit 1`)
}

export async function listOfReference(
  tx: ScopedTx,
  reference: string,
  limit: number,
): Promise<Array<Json<Fulfillment>>> {
  return tx.values(sql`
    select doc from fulfillments where scope_id = ${tx.scope} and id in (
      select id from fulfillments where scope_id = ${tx.scope} and external_ref = ${reference}
      order by id desc limit ${limit})
    order by id desc`)
}

export const fulfillmentFilters: FilterRules<'listFulfillments'> = {
  status: { where: (status) => sql`status = ${status}`, isCounted: true },
  external_ref: {
    where: (ref, scopeId) => anyOf('fulfillments', 'external_ref', unicodeForms(ref), scopeId),
  },
  external_refs: {
    where: (refs, scopeId) => anyOf('fulfillments', 'external_ref', JSON.parse(refs), scopeId),
  },
  qid: {
    where: (qid, scopeId) => sql`id in (
      select fulfillment_id from fulfillment_items
      where scope_id = ${scopeId} and qid = ${canonicalQid(qid) ?? ''})`,
  },
}

export async function saveTransfer(tx: ScopedTx, transfer: Transfer, doc: Json<Transfer>): Promise<void> {
  assert(doc.includes(transfer.id), 'a document belongs to its transfer', transfer.id)
  const row = { scope_id: tx.scope, ...transferColumns(transfer), doc }
  await tx.change(upsert('transfers', row, ['status', 'doc']))
}

export function transferColumns({ id, status }: Transfer) {
  return { id, status }
}

export const transferFilters: FilterRules<'listTransfers'> = {
  status: { where: (status) => sql`status = ${status}`, isCounted: true },
}
