import type { Json } from '../contract/call.ts'

/** One page of rendered results and how many there are in all; the service makes the envelope of 2.13. */
export type Listing<T> = { docs: Array<Json<T>>; total: number }

/** A resource with one page of its lists in it. */
export type LinkedPage<T> = { text: Json<T>; hasMore: boolean }

export type Paging = { page: number; page_size: number }

/** Both are asked for at once: over a network one answer follows the other. */
export async function listing<T>(docs: Promise<Array<Json<T>>>, total: Promise<number>): Promise<Listing<T>> {
  const [found, n] = await Promise.all([docs, total])
  return { docs: found, total: n }
}

/** Of a query that has one result or none. */
export function listingOfOne<T>(doc: Json<T> | undefined, paging: Paging): Listing<T> {
  const docs = doc === undefined ? [] : [doc]
  return { docs: docs.slice(offsetOf(paging)), total: docs.length }
}

/** The rows before a page, capped at a number that the databases still take as an integer. */
export function offsetOf(paging: Paging): number {
  return Math.min((paging.page - 1) * paging.page_size, Number.MAX_SAFE_INTEGER)
}
