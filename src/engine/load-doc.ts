import type { Json } from '../contract/call.ts'
import { notFound } from '../domain/rejection.ts'
import { type Documents, findDoc } from '../store/tables/documents.ts'
import type { ReadContext } from './context.ts'

/** The exact stored bytes, by id or an item's canonical QID. Throws `not_found`. */
export async function loadDoc<T extends keyof Documents>(
  { tx, scope }: Pick<ReadContext, 'tx' | 'scope'>,
  table: T,
  key: string,
  column?: 'qid',
): Promise<Json<Documents[T]>> {
  const doc = await findDoc(tx, scope.id, table, key, column)
  if (doc === undefined) throw notFound()
  return doc
}
