import type { Json } from '../../contract/call.ts'
import type { TransferStatus } from '../../contract/enums.ts'
import type { Transfer } from '../../contract/resources/fulfillment.ts'
import type { Tx } from '../database.ts'
import { empty, sql, upsert } from '../sql.ts'

/** Inserts or updates a transfer. */
export async function saveTransfer(
  tx: Tx,
  scopeId: number,
  transfer: Transfer,
  doc: Json<Transfer>,
): Promise<void> {
  const row = { scope_id: scopeId, ...transferColumns(transfer), doc }
  await tx.change(upsert('transfers', row, ['status', 'doc']))
}

/** The columns derived from a transfer's document. This is the only place that derives them, for storing and for checking. */
export function transferColumns({ id, status }: Transfer) {
  return { id, status }
}

/** The exact bytes of a transfer; undefined where the scope has none with this id, in lower case. */
export async function findTransferDoc(
  tx: Tx,
  scopeId: number,
  id: string,
): Promise<Json<Transfer> | undefined> {
  const row = await tx.get<{ doc: string }>(
    sql`select doc from transfers where scope_id = ${scopeId} and id = ${id}`,
  )
  return row?.doc
}

/** Newest first: identifiers ascend with time. The page's ids come from the index that covers the filter. */
export async function listTransferDocs(
  tx: Tx,
  scopeId: number,
  status: TransferStatus | undefined,
  limit: number,
  offset: number,
): Promise<Array<Json<Transfer>>> {
  const rows = await tx.all<{ doc: string }>(sql`
    select doc from transfers where scope_id = ${scopeId} and id in (
      select id from transfers where scope_id = ${scopeId} ${status === undefined ? empty : sql`and status = ${status}`}
      order by id desc limit ${limit} offset ${offset})
    order by id desc`)
  return rows.map((row) => row.doc)
}
