import type { Answer, Page } from '../../client/client.ts'
import { pagesOf } from '../../client/pages.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import { giveMemoryBack } from '../base/memory.ts'
import { createKeySet } from './key-set.ts'

export type PageQuery = { page: number; page_size: number }

type Walk<T> = {
  fetch: (query: PageQuery) => Promise<Answer<Page<T>>>
  /** Pages move while they are walked, so a result may come twice. */
  keyOf: (result: T) => string
  limit?: number | undefined
  pageSize?: number | undefined
}

export function byId({ id }: { id: string }): string {
  return id
}

/** A garbage collection takes longer than a page, so only every 20th page starts one. */
const pagesPerCollection = 20

type Batch<T> = { results: T[]; total: number }

/** Yields each result once. Misses one that moves to a page already read: pages are numbers, not cursors. */
export async function* walkPages<T>(walk: Walk<T>): AsyncGenerator<Batch<T>, void, undefined> {
  const limit = walk.limit ?? Number.POSITIVE_INFINITY
  const pageSize = walk.pageSize ?? Math.min(pageSizeMax, limit)
  // A list ordered by time of change may repeat a row any number of pages later, so all rows must be remembered.
  const seen = createKeySet()
  let pages = 0
  const fetch = (query: object) => walk.fetch(query as PageQuery)
  for await (const { data } of pagesOf(fetch, { page: 1, page_size: pageSize })) {
    const fresh = data.results.filter((result) => seen.size < limit && seen.add(walk.keyOf(result)))
    yield { results: fresh, total: data.total }
    if (++pages % pagesPerCollection === 0) await giveMemoryBack()
    if (seen.size >= limit) return
  }
}

/** As many requests at once as the service accepts on one connection. */
const atOnce = 8

/** Returns the results in the order of `list`. After a failure it starts no more, waits for those in progress, and throws it. */
export async function severalAtOnce<T, R>(list: Iterable<T>, task: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  // A loop that throws closes this generator, which ends the other loops.
  const queue = inOrder(list)
  const work = async (): Promise<void> => {
    for (const [at, one] of queue) results[at] = await task(one)
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, work))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return results
}

function* inOrder<T>(list: Iterable<T>): Generator<[number, T], void> {
  yield* [...list].entries()
}
