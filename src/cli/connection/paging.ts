import type { Answer, Page } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { pageSizeMax } from '../../contract/limits.ts'
import { retryAfterMs } from '../../contract/retry-after.ts'
import { runtime } from '../../runtime/runtime.ts'
import { sleep } from '../../runtime/waiting.ts'
import { createHashSet } from '../base/hash-set.ts'
import { giveMemoryBack } from '../base/memory.ts'

type Walk<T> = {
  /** One page of the list. */
  fetch: (page: number, pageSize: number) => Promise<Answer<Page<T>>>
  /** What tells two results apart: pages move while they are walked, so that one may come twice. */
  keyOf: (result: T) => string
  /** At most so many results; everything where it is left out. */
  limit?: number | undefined
  pageSize?: number | undefined
  /** Waits so many milliseconds. */
  wait?: (ms: number) => Promise<void>
}

/** What tells most results apart. */
export function byId({ id }: { id: string }): string {
  return id
}

/** A collection takes longer than a page: one of so many does not matter. */
const pagesPerCollection = 20

type Batch<T> = { results: T[]; total: number }

/**
 * Walks the pages of a list from the first on: each result once, a 429 waited out. A result that moves to a page that was
 * read already, because others before it are gone, is missed: pages have numbers, not places in the list.
 */
export async function* walkPages<T>(walk: Walk<T>): AsyncGenerator<Batch<T>, void, undefined> {
  const limit = walk.limit ?? Number.POSITIVE_INFINITY
  const pageSize = walk.pageSize ?? Math.min(pageSizeMax, limit)
  // A list by the time of change may show a row again any number of pages later: no window of the last ones would do.
  const seen = createHashSet()
  for (let page = 1; ; page++) {
    const { data } = await patiently(() => walk.fetch(page, pageSize), walk.wait)
    const fresh = data.results.filter((result) => seen.size < limit && seen.add(walk.keyOf(result)))
    yield { results: fresh, total: data.total }
    if (page % pagesPerCollection === 0) await giveMemoryBack()
    if (data.next_page_number === null || seen.size >= limit) return
  }
}

/** Calls again after a 429, as late as the service says; ten times at most, and not where --max-wait says how long. */
export async function patiently<T>(call: () => Promise<T>, wait: Walk<T>['wait'] = sleep): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const isPassing = error instanceof ServiceError && error.status === 429 && !error.isWaitedOut
      if (!isPassing || attempt === 10) throw error
      await wait(retryAfterMs(error.headers, runtime.clock()) ?? 1000)
    }
  }
}
