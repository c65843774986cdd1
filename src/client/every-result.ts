import { pageSizeMax } from '../contract/limits.ts'

/** What lists have of a page: they come by number, the log of events by cursor. */
type AnyPage = {
  results: unknown[]
  current_page_number?: number
  next_page_number?: number | null
  next_starting_after?: string | null
}
type ListRequest = { query?: Record<string, unknown> }
export type List = (request: ListRequest) => Promise<{ data: AnyPage }>

/**
 * Every result of a list, page after page, from the page or cursor of the request on. Each page is requested when the one
 * before it has been read. Ends as well where a page leads to none after it, so that a service's fault does not go on forever.
 */
export async function* everyResult(
  list: List,
  request: ListRequest = {},
): AsyncGenerator<unknown, void, undefined> {
  let query: Record<string, unknown> | undefined = { page_size: pageSizeMax, ...request.query }
  const cursors = new Set<unknown>()
  while (query !== undefined) {
    const { data }: { data: AnyPage } = await list({ ...request, query })
    yield* data.results
    query = data.results.length === 0 ? undefined : nextQuery(query, data)
    const cursor = query?.starting_after
    if (cursor === undefined) continue
    if (cursors.has(cursor)) return
    cursors.add(cursor)
  }
}

function nextQuery(query: Record<string, unknown>, page: AnyPage): Record<string, unknown> | undefined {
  const { next_page_number: next, current_page_number: current = Number(query.page ?? 1) } = page
  if (typeof next === 'number') return next > current ? { ...query, page: next } : undefined
  const { next_starting_after: cursor } = page
  const isNew = typeof cursor === 'string' && cursor !== query.starting_after && page.results.length > 0
  return isNew ? { ...query, starting_after: cursor } : undefined
}
