import { assert } from '../../domain/rejection.ts'
import { unicodeForms } from '../../domain/unicode-forms.ts'
import { join, type ScopedTx, sql } from '../database.ts'

/** The numbers of a file's intakes. */
export type ArrivalRange = { first_no: number; last_no: number }

/** `content`: a hash of the arrivals. */
type ArrivalFile = ArrivalRange & {
  content: string
  delivery: string | null
  manifest_id: string | null
}

export async function insertArrivalFile(tx: ScopedTx, file: ArrivalFile): Promise<void> {
  const { first_no, last_no, delivery } = file
  const isRange = first_no >= 1 && last_no >= first_no
  assert(isRange, 'a file brought intakes', tx.scope, delivery, first_no, last_no)
  await tx.insert('arrival_files', ['scope_id', ...Object.keys(file)], [[tx.scope, ...Object.values(file)]])
}

/** The newest of a delivery, or with this content. */
export function findArrivalFile(
  tx: ScopedTx,
  by: { content: string } | { delivery: string },
): Promise<ArrivalFile | undefined> {
  const isMeant =
    'content' in by ? sql`content = ${by.content}` : sql`delivery in (${join(unicodeForms(by.delivery))})`
  return tx.get<ArrivalFile>(sql`
    select content, delivery, manifest_id, first_no, last_no from arrival_files
    where scope_id = ${tx.scope} and ${isMeant} order by first_no desc limit 1`)
}

/** Units by file and SKU, newest file first, of files whose intakes begin at number `from`. */
export function listArrivalUnits(
  tx: ScopedTx,
  from: number,
): Promise<Array<ArrivalRange & { sku: string; units: number }>> {
  return tx.all(sql`
    select f.first_no, f.last_no, i.sku, count(*) as units from arrival_files f
    join intakes t on t.scope_id = f.scope_id and t.intake_no between f.first_no and f.last_no
    join items i on i.scope_id = t.scope_id and i.qid = t.qid
    where f.scope_id = ${tx.scope} and f.first_no >= ${from} and i.type = 'product'
    group by f.first_no, f.last_no, i.sku order by f.first_no desc, i.sku`)
}
