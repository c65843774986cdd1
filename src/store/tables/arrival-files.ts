import { assert } from '../../domain/rejection.ts'
import { unicodeForms } from '../../domain/unicode-forms.ts'
import { join, sql, type Tx } from '../database.ts'

/** `content`: a hash of the arrivals. `first_no`, `last_no`: the numbers of the file's intakes. */
export type ArrivalFile = {
  content: string
  delivery: string | null
  manifest_id: string | null
  first_no: number
  last_no: number
}

export async function insertArrivalFile(tx: Tx, scopeId: number, file: ArrivalFile): Promise<void> {
  const { first_no, last_no, delivery } = file
  assert(first_no >= 1 && last_no >= first_no, 'a file brought intakes', scopeId, delivery, first_no, last_no)
  await tx.insert('arrival_files', ['scope_id', ...Object.keys(file)], [[scopeId, ...Object.values(file)]])
}

export function findArrivalsByContent(
  tx: Tx,
  scopeId: number,
  content: string,
): Promise<ArrivalFile | undefined> {
  return tx.get<ArrivalFile>(sql`
    select content, delivery, manifest_id, first_no, last_no from arrival_files
    where scope_id = ${scopeId} and content = ${content} order by first_no desc limit 1`)
}

export function findArrivalsByDelivery(
  tx: Tx,
  scopeId: number,
  delivery: string,
): Promise<ArrivalFile | undefined> {
  return tx.get<ArrivalFile>(sql`
    select content, delivery, manifest_id, first_no, last_no from arrival_files
    where scope_id = ${scopeId} and delivery in (${join(unicodeForms(delivery))}) order by first_no desc limit 1`)
}
