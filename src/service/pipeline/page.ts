import type { Call, Reply } from '../../contract/call.ts'
import type { OperationId } from '../../contract/operations.ts'
import { pathOf } from '../../contract/operations.ts'
import type { Listing, Paging } from '../../engine/listing.ts'
import { jsonReply } from './reply.ts'

/** The envelope of 2.13 around results that are already rendered; its links keep the query's other parameters, and are headers too. */
export function pageReply(id: OperationId, call: Call, paging: Paging, listing: Listing<unknown>): Reply {
  const last = Math.max(1, Math.ceil(listing.total / paging.page_size))
  const next = paging.page < last ? paging.page + 1 : null
  const previous = paging.page > 1 ? Math.min(paging.page - 1, last) : null
  const link = (page: number | null): string =>
    page === null ? 'null' : JSON.stringify(linkTo(id, call, page))
  const body =
    `{"page_size":${paging.page_size},"count":${listing.docs.length},"total":${listing.total},` +
    `"current_page_number":${paging.page},"next_page_number":${next},"next":${link(next)},` +
    `"previous":${link(previous)},"previous_page_number":${previous},"results":[${listing.docs.join(',')}]}`
  return jsonReply(200, body, linkHeader(id, call, { next, previous }))
}

/** The `Link` header that names the neighbouring pages (RFC 8288). */
export function linkHeader(
  id: OperationId,
  call: Call,
  pages: { next: number | null; previous: number | null },
): Record<string, string> {
  const links: string[] = []
  if (pages.next !== null) links.push(`<${linkTo(id, call, pages.next)}>; rel="next"`)
  if (pages.previous !== null) links.push(`<${linkTo(id, call, pages.previous)}>; rel="prev"`)
  return links.length > 0 ? { link: links.join(', ') } : {}
}

function linkTo(id: OperationId, call: Call, page: number): string {
  const query = new URLSearchParams(call.query.filter(([name]) => name !== 'page') as Array<[string, string]>)
  query.set('page', String(page))
  return `${call.baseUrl}${pathOf(id, call.params)}?${query}`
}
