import type { Json } from '../contract/call.ts'

/** One page of rendered results and how many there are in all; the service makes the envelope of 2.13. */
export type Listing<T> = { docs: Array<Json<T>>; total: number }

/** A resource with one page of its lists in it. */
export type LinkedPage<T> = { text: Json<T>; hasMore: boolean }

export type Paging = { page: number; page_size: number }

/** The rows before a page, capped at a number that the databases still take as an integer. */
export function offsetOf(paging: Paging): number {
  return Math.min((paging.page - 1) * paging.page_size, Number.MAX_SAFE_INTEGER)
}

/** A page as the database takes it. */
export function sliceOf(paging: Paging): { limit: number; offset: number } {
  return { limit: paging.page_size, offset: offsetOf(paging) }
}
