import { type Json, parsedJson } from '../contract/call.ts'
import { invalid, notFound } from '../domain/rejection.ts'
import { isStorable } from '../domain/storable-text.ts'
import { type Documents, findDoc } from '../store/tables/documents.ts'
import type { ReadContext } from './context.ts'

/** The total and one page, rendered; the service adds the envelope of 2.13. */
export type Listing<T> = { docs: Array<Json<T>>; total: number }

/** A resource that contains one page of each of its lists. */
export type LinkedPage<T> = { text: Json<T>; hasMore: boolean }

export type Paging = { page: number; page_size: number }

/** Capped, because databases reject larger integers. */
export function offsetOf(paging: Paging): number {
  return Math.min((paging.page - 1) * paging.page_size, Number.MAX_SAFE_INTEGER)
}

export function sliceOf(paging: Paging): { limit: number; offset: number } {
  return { limit: paging.page_size, offset: offsetOf(paging) }
}

/** Values of a filter that takes many, as a JSON array. Throws `invalid` naming it. */
export function textsIn(name: string, text: string, most: number): string[] {
  const texts = parsedJson(text)
  const isFit = Array.isArray(texts) && texts.length > 0 && texts.length <= most
  if (isFit && texts.every((each) => typeof each === 'string' && isStorable(each))) return texts
  throw invalid({ [name]: [`must be a JSON array of 1 to ${most} strings`] })
}

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
