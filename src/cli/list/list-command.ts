import type { Command } from 'commander'
import type { Answer, Client, Page } from '../../client/client.ts'
import { pageSizeDefault } from '../../contract/limits.ts'
import type { PagedId } from '../../contract/operations.ts'
import { usage } from '../base/cli-error.ts'
import { resourceFields } from '../base/schema-fields.ts'
import type { CommandFile, Session, Words } from '../command.ts'
import { walkPages } from '../connection/paging.ts'
import { addFilters, type FilterOptions, queryFrom, wholeNumber } from '../find/filters.ts'
import type { View } from '../output/columns.ts'
import { type WatchOptions, watchable, watched } from './watch.ts'

/** One of the page-number lists, and how it is shown. */
type List = {
  id: PagedId
  view: View
  /** What a flag means if it differs from its filter's meaning on the wire. */
  meanings?: Readonly<Record<string, string>>
  /** The fields that tell two rows apart. */
  keys: readonly string[]
}

export type ListOptions = FilterOptions &
  WatchOptions & { all?: boolean; limit?: string; page?: string; pageSize?: string }

type AnyPage = Page<Record<string, unknown>>
type Fetch = (request: {
  query: Record<string, unknown>
  params?: Record<string, string>
}) => Promise<Answer<AnyPage>>

/** What an `ls` may need beside its list: the parameters of its path, and which rows are shown of all there are. */
type ListMore = {
  params?: (client: Client) => Promise<Record<string, string>>
  isWanted?: (row: never) => boolean
  /** Of the rows that are shown. */
  most?: number | undefined
}

/** An `ls` that shows its list and nothing else. */
export function listCommand(list: List, words: Words): CommandFile<[ListOptions]> {
  return { ...words, ...listing(list), run: (session, options) => runList(session, list, options) }
}

/** The flags of an `ls`, the operation's filters and then how much of the list; and what it prints. */
export function listing({ id, view, meanings }: List) {
  return {
    define(command: Command): void {
      command.optionsGroup('Filters:')
      addFilters(command, id, (name) => !isPaging(name), meanings)
      command.optionsGroup('How much:')
      command.option('--all', 'Fetch every page')
      command.option('--limit <n>', 'Maximum number of rows')
      watchable(command)
      addFilters(command, id, isPaging)
    },
    view: (): View => ({ ...view, fields: () => resourceFields(id) }),
  }
}

/** Runs an `ls`: one page, or with --all and --limit as many as it takes; says on stderr what is left. */
export async function runList(
  session: Session,
  { id, keys }: List,
  options: ListOptions,
  { params, isWanted = () => true, most = Number.POSITIVE_INFINITY }: ListMore = {},
): Promise<void> {
  await watched(session, options, async (own) => {
    const query = queryFrom(id, options, own.io.now()) as Record<string, unknown>
    const writer = (await own.printer()).list()
    const { client } = await own.target()
    const { resolveManifestFilter } = await import('../find/find-manifest.ts')
    await resolveManifestFilter(client, query)
    const call = client[id as keyof Client] as unknown as Fetch
    const path = await params?.(client)
    const fetch: Fetch = (request) => call(path === undefined ? request : { ...request, params: path })
    const shown = { count: 0, total: 0 }
    for await (const { results, total } of pagesOf(fetch, query, keys, options)) {
      const wanted = results.filter((row) => isWanted(row as never)).slice(0, most - shown.count)
      shown.count += wanted.length
      shown.total = total
      await writer.push(wanted)
    }
    await writer.end()
    const rest = restNotice(shown.count, shown.total, query, options)
    if (rest !== undefined) own.notice(rest)
  })
}

async function* pagesOf(
  fetch: Fetch,
  query: Record<string, unknown>,
  keys: readonly string[],
  options: ListOptions,
): AsyncGenerator<{ results: unknown[]; total: number }> {
  const { page, page_size, ...filters } = query as { page?: number; page_size?: number }
  if (!options.all && options.limit === undefined) {
    const { data } = await fetch({ query })
    yield data
    return
  }
  if (page !== undefined)
    throw usage('--page cannot stand beside --all and --limit, which start at the first page.')
  const limit = options.limit === undefined ? undefined : wholeNumber(options.limit, '--limit', 1)
  yield* walkPages({
    fetch: (number, size) => fetch({ query: { ...filters, page: number, page_size: size } }),
    keyOf: (row) => keys.map((key) => row[key]).join(' '),
    limit,
    pageSize: page_size,
  })
}

/** `25 of 612; --all for the rest` */
function restNotice(
  count: number,
  total: number,
  query: Record<string, unknown>,
  options: ListOptions,
): string | undefined {
  const page = Number(query.page ?? 1)
  if (page > 1 && !options.all) {
    const pages = Math.ceil(total / Number(query.page_size ?? pageSizeDefault))
    return count === 0
      ? `no page ${page}: ${total} in ${pages} pages`
      : `page ${page} of ${pages}, ${total} in all`
  }
  if (count === 0) return 'none found'
  return count < total && !options.all ? `${count} of ${total}; --all for the rest` : undefined
}

function isPaging(name: string): boolean {
  return name === 'page' || name === 'page_size'
}
