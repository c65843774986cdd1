import type { Json } from '../../contract/call.ts'
import type { Transfer } from '../../contract/resources/fulfillment.ts'
import { assert } from '../../domain/rejection.ts'
import { sql, type Tx, upsert } from '../database.ts'
import type { FilterRules } from './documents.ts'

export async function saveTransfer(
  tx: Tx,
  scopeId: number,
  transfer: Transfer,
  doc: Json<Transfer>,
): Promise<void> {
  assert(doc.includes(transfer.id), 'a document belongs to its transfer', transfer.id)
  const row = { scope_id: scopeId, ...transferColumns(transfer), doc }
  await tx.change(upsert('transfers', row, ['status', 'doc']))
}

export function transferColumns({ id, status }: Transfer) {
  return { id, status }
}

export const transferFilters: FilterRules<'listTransfers'> = {
  status: { where: (status) => sql`status = ${status}`, isCounted: true },
}
