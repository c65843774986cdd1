import type { Call } from '../../contract/call.ts'
import type { OperationId } from '../../contract/operations.ts'
import { pathOf } from '../../contract/operations.ts'
import type { Listing, Paging } from '../../engine/listing.ts'

/** The envelope of 2.13 around results that are already rendered; its links keep the query's other parameters. */
export function pageBody(id: OperationId, call: Call, paging: Paging, listing: Listing<unknown>): string {
  const last = Math.max(1, Math.ceil(listing.total / paging.page_size))
  const next = paging.page < last ? paging.page + 1 : null
  const previous = paging.page > 1 ? Math.min(paging.page - 1, last) : null
  const link = (page: number | null): string =>
    page === null ? 'null' : JSON.stringify(linkTo(id, call, page))
  return (
    `{"page_size":${paging.page_size},"count":${listing.docs.length},"total":${listing.total},` +
    `"current_page_number":${paging.page},"next_page_number":${next},"next":${link(next)},` +
    `"previous":${link(previous)},"previous_page_number":${previous},"results":[${listing.docs.join(',')}]}`
  )
}

/** The `Link` header that names the next page (RFC 8288). */
export function nextLink(id: OperationId, call: Call, { page }: Paging): Record<string, string> {
  return { link: `<${linkTo(id, call, page + 1)}>; rel="next"` }
}

function linkTo(id: OperationId, call: Call, page: number): string {
  const query = new URLSearchParams(call.query.filter(([name]) => name !== 'page') as Array<[string, string]>)
  query.set('page', String(page))
  return `${call.baseUrl}${pathOf(id, call.params)}?${query}`
}
