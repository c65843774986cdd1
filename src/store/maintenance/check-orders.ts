import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { allAmong, join, padded, sql, type Tx } from '../database.ts'
import { fulfillmentColumns } from '../tables/fulfillments.ts'
import { transferColumns } from '../tables/transfers.ts'
import { checkDocuments, differences, documentOf, type Finding } from './check-findings.ts'
import { pagesOf, type Row } from './scoped-rows.ts'

type Link = { qid: string; fulfillment_id: string }

/** Rows per page: an order can have a thousand items. */
const few = { rowsAtOnce: 100 }

export async function checkOrders(tx: Tx, scopeId: number): Promise<Finding[]> {
  const transfers = await checkDocuments(tx, scopeId, 'transfers', transferColumns)
  return [...(await checkFulfillments(tx, scopeId)), ...transfers]
}

async function checkFulfillments(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  let noted = 0
  for await (const { rows } of pagesOf(tx, scopeId, 'fulfillments', few)) {
    const fulfillments = rows.flatMap((row) => checkFulfillment(row, findings) ?? [])
    const links = await linksOf(tx, scopeId, new Set(fulfillments.flatMap(({ qids }) => qids)))
    for (const { id, qids } of fulfillments) {
      for (const qid of qids) {
        if (links.delete(`${id} ${qid}`)) noted += 1
        else findings.push({ table: 'fulfillments', key: id, problem: `${qid} is not linked to it` })
      }
    }
  }
  const links = await tx.get<{ n: number }>(
    sql`select count(*) as n from fulfillment_items where scope_id = ${scopeId}`,
  )
  if (links?.n !== noted) findings.push(...(await findStrays(tx, scopeId)))
  return [...findings, ...(await checkHolds(tx, scopeId))]
}

function checkFulfillment(row: Row, findings: Finding[]): { id: string; qids: string[] } | undefined {
  const key = String(row.id)
  const fulfillment = documentOf<Fulfillment>('fulfillments', key, row.doc, findings)
  if (!fulfillment) return undefined
  findings.push(...differences('fulfillments', key, row, fulfillmentColumns(fulfillment)))
  return { id: key, qids: fulfillment.qids }
}

async function linksOf(tx: Tx, scopeId: number, qids: ReadonlySet<string>): Promise<Set<string>> {
  const links = await allAmong([...qids], 1000, (some) =>
    tx.all<Link>(sql`
      select qid, fulfillment_id from fulfillment_items
      where scope_id = ${scopeId} and qid in (${join(padded(some))})
      order by qid, fulfillment_id`),
  )
  return new Set(links.map(({ qid, fulfillment_id }) => `${fulfillment_id} ${qid}`))
}

/** Links whose fulfillment lacks the item. Called only if there are any, because it reads each document many times. */
async function findStrays(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const { rows } of pagesOf<Link>(tx, scopeId, 'fulfillment_items', few)) {
    if (rows.length === 0) continue
    const documents = await tx.all<Row>(sql`
      select id, doc from fulfillments
      where scope_id = ${scopeId} and id in (${join(padded(rows.map((link) => link.fulfillment_id)))}) order by id`)
    const qids = new Map(
      documents.map(({ id, doc }) => {
        const read = documentOf<Fulfillment>('fulfillments', String(id), doc, [])
        return [String(id), new Set(read?.qids)]
      }),
    )
    for (const { qid, fulfillment_id } of rows) {
      if (qids.get(fulfillment_id)?.has(qid)) continue
      const problem = 'its fulfillment does not contain the item'
      findings.push({ table: 'fulfillment_items', key: `${fulfillment_id} ${qid}`, problem })
    }
  }
  return findings
}

/** An item that names a fulfillment must be linked to it. */
async function checkHolds(tx: Tx, scopeId: number): Promise<Finding[]> {
  const rows = await tx.all<Link>(sql`
    select i.qid, i.fulfillment_id from items i
    where i.scope_id = ${scopeId} and i.fulfillment_id is not null and not exists (
      select 1 from fulfillment_items f
      where f.scope_id = ${scopeId} and f.qid = i.qid and f.fulfillment_id = i.fulfillment_id)
    order by i.qid`)
  return rows.map(({ qid, fulfillment_id }) => ({
    table: 'items',
    key: qid,
    problem: `names ${fulfillment_id}, which does not contain it`,
  }))
}
