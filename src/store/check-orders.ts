import type { Fulfillment, Transfer } from '../contract/resources/fulfillment.ts'
import { differences, documentOf, type Finding, type Row, rowsOf } from './check-findings.ts'
import type { Tx } from './database.ts'
import { sql } from './sql.ts'

/** Fulfillments, which items they have, and transfers. */
export async function checkOrders(tx: Tx, scopeId: number): Promise<Finding[]> {
  return [...(await checkFulfillments(tx, scopeId)), ...(await checkTransfers(tx, scopeId))]
}

async function checkFulfillments(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const links = new Set<string>()
  for await (const row of rowsOf<Row>(
    tx,
    scopeId,
    'fulfillment_items',
    ['qid', 'fulfillment_id'],
    ['qid', 'fulfillment_id'],
  ))
    links.add(`${row.fulfillment_id} ${row.qid}`)
  for await (const row of rowsOf<Row>(
    tx,
    scopeId,
    'fulfillments',
    ['id', 'status', 'external_ref', 'doc'],
    ['id'],
  )) {
    const key = String(row.id)
    const fulfillment = documentOf<Fulfillment>('fulfillments', key, row.doc ?? '', findings)
    if (!fulfillment) continue
    const { id, status, external_ref } = fulfillment
    findings.push(
      ...differences('fulfillments', key, row, { id, status, external_ref: external_ref ?? null }),
    )
    for (const qid of fulfillment.qids) {
      if (links.delete(`${id} ${qid}`)) continue
      findings.push({ table: 'fulfillments', key, problem: `${qid} is not noted as its item` })
    }
  }
  for (const link of links) {
    findings.push({
      table: 'fulfillment_items',
      key: link,
      problem: 'its fulfillment does not have the item',
    })
  }
  return [...findings, ...(await checkHolds(tx, scopeId))]
}

/** An item that says a fulfillment holds it must be in one that is there. */
async function checkHolds(tx: Tx, scopeId: number): Promise<Finding[]> {
  const rows = await tx.all<{ qid: string; fulfillment_id: string }>(sql`
    select i.qid, i.fulfillment_id from items i
    where i.scope_id = ${scopeId} and i.fulfillment_id is not null and not exists (
      select 1 from fulfillment_items f
      where f.scope_id = ${scopeId} and f.qid = i.qid and f.fulfillment_id = i.fulfillment_id)
    order by i.qid`)
  return rows.map(({ qid, fulfillment_id }) => ({
    table: 'items',
    key: qid,
    problem: `is held by ${fulfillment_id}, which does not have it`,
  }))
}

async function checkTransfers(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const row of rowsOf<Row>(tx, scopeId, 'transfers', ['id', 'status', 'doc'], ['id'])) {
    const key = String(row.id)
    const transfer = documentOf<Transfer>('transfers', key, row.doc ?? '', findings)
    if (!transfer) continue
    findings.push(...differences('transfers', key, row, { id: transfer.id, status: transfer.status }))
  }
  return findings
}
