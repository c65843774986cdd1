import type { Json } from '../contract/call.ts'

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
