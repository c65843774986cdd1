import type { Command } from 'commander'
import type { Answer, Client, Page } from '../../client/client.ts'
import { pageSizeDefault, pageSizeMax } from '../../contract/limits.ts'
import type { PagedId } from '../../contract/operations.ts'
import { own } from '../../contract/own.ts'
import { searchForms } from '../../domain/items/search-text.ts'
import { usage } from '../base/cli-error.ts'
import { digits } from '../base/counted.ts'
import { queryFields, resourceFields } from '../base/schema-fields.ts'
import type { CommandFile, Session, Words } from '../command.ts'
import { createKeySet } from '../connection/key-set.ts'
import { walkPages } from '../connection/paging.ts'
import { timeOfAges } from '../connection/scope-time.ts'
import { addFilter, addFilters, type FilterOptions, queriesFrom, wholeNumber } from '../find/filters.ts'
import type { View } from '../output/columns.ts'
import { type WatchOptions, watchable, watched } from './watch.ts'

type List = {
  id: PagedId
  view: View
  keys: readonly string[]
  /** The field that the service sorts by, newest first (default: created_at). */
  by?: string
  /** Flags that the wire lacks: case-insensitive text search, for which the tool reads every page. */
  texts?: Readonly<Record<string, { words: string; of: (row: never) => readonly string[] }>>
  /** Columns beyond the wire's fields; never part of JSON. */
  added?: readonly Added[]
}

type Added = {
  columns: readonly string[]
  read: (client: Client) => (rows: readonly never[]) => Promise<(row: never) => object>
}

export type ListOptions = FilterOptions &
  WatchOptions & { all?: boolean; limit?: string; page?: string; pageSize?: string }

type Row = Record<string, unknown>
type AnyPage = Page<Row>
type Fetch = (request: {
  query: Record<string, unknown>
  params?: Record<string, string>
}) => Promise<Answer<AnyPage>>

type PathOf = (client: Client) => Promise<Record<string, string>>

export function listCommand(list: List, words: Words): CommandFile<[ListOptions]> {
  return { ...words, ...listing(list), run: (session, options) => runList(session, list, options) }
}

export function listing({ id, view, texts = {} }: List) {
  return {
    define(command: Command): void {
      command.optionsGroup('Filters (a,b for several values):')
      // Instead of `external_refs`, `--external-ref a,b` takes several.
      const isFilter = (name: string) => !isPaging(name) && name !== 'external_refs' && !own(texts, name)
      addFilters(command, id, isFilter)
      for (const [name, { words }] of Object.entries(texts))
        addFilter(command, { kind: 'text', name, choices: [] }, words)
      command.optionsGroup('How much:')
      command.option('--all', 'Fetch every page')
      command.option('--limit <n>', 'Maximum number of rows')
      watchable(command)
      addFilters(command, id, isPaging)
    },
    view: (): View => ({ ...view, fields: () => resourceFields(id) }),
  }
}

/** Prints one page, or as many as --all and --limit need, and says on stderr how many rows are left. */
export async function runList(
  session: Session,
  list: List,
  given: ListOptions,
  path?: PathOf,
): Promise<void> {
  const { id, keys, texts = {}, added = [] } = list
  const { options, isWanted, most } = allPages(texts, given)
  await watched(session, options, async (pass) => {
    const now = await timeOfAges(pass, Object.values(options))
    const queries = queriesFrom(id, options, now) as Array<Record<string, unknown>>
    const [query = {}, another] = queries
    const printer = await pass.printer()
    const writer = printer.list()
    const { client } = await pass.target()
    const { resolveManifestFilter } = await import('../find/find-by-reference.ts')
    for (const each of queries) await resolveManifestFilter(client, each)
    const call = client[id as keyof Client] as unknown as Fetch
    const params = await path?.(client)
    const fetch: Fetch = (request) => call(params === undefined ? request : { ...request, params })
    const extended = rowExtender(client, added, printer.isWhole ? [] : pass.options.columns?.split(','))
    const shown = { count: 0, total: 0 }
    const pages = another ? mergedPages(fetch, queries, list, options) : pagesOf(fetch, query, keys, options)
    for await (const { results, total } of pages) {
      const wanted = results.filter((row) => isWanted(row as never)).slice(0, most - shown.count)
      shown.count += wanted.length
      shown.total = total
      await writer.push(await extended(wanted))
      if (shown.count >= most) break
    }
    await writer.end()
    const isOneOfSeveral = another || Object.keys(texts).some((name) => [given[name]].flat().length > 1)
    // A row has one value of a choice, so its lists have no row in common.
    const isExact = queryFields(id).every(
      ({ name, kind }) => kind === 'choice' || queries.every((each) => each[name] === query[name]),
    )
    const rest = moreNotice(shown.count, shown.total, query, options, isExact ? '' : 'up to ')
    if (rest !== undefined)
      pass.notice(
        isOneOfSeveral && shown.count === 0 ? `${rest}; a comma within a value is written \\,` : rest,
      )
  })
}

/** The wire cannot search these texts, so every page is read, and --limit counts the rows shown. */
function allPages(
  texts: NonNullable<List['texts']>,
  options: ListOptions,
): { options: ListOptions; isWanted: (row: never) => boolean; most: number } {
  const asked = Object.entries(texts).filter(([name]) => options[name] !== undefined)
  if (asked.length === 0) return { options, isWanted: () => true, most: Number.POSITIVE_INFINITY }
  const { limit, page, ...others } = options
  const [flag = ''] = asked.map(([name]) => `--${name}`)
  if (page !== undefined) throw usage(`--page cannot be combined with ${flag}, which reads all pages.`)
  const filters = asked.map(([name, { of }]) => {
    const forms = [options[name]].flat().flatMap((text) => searchForms(String(text)))
    if (forms.some((form) => form.trim() === '')) throw usage(`--${name} needs a value.`)
    return (row: never): boolean =>
      of(row).some((text) => searchForms(text).some((held) => forms.some((form) => held.includes(form))))
  })
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => own(texts, name) === undefined))
  return {
    options: { ...rest, all: true },
    isWanted: (row) => filters.every((isIt) => isIt(row)),
    most: limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber(limit, '--limit', 1),
  }
}

/** Reads added columns only if they are shown; `names`: the chosen columns. */
function rowExtender(
  client: Client,
  added: readonly Added[],
  names: readonly string[] | undefined,
): (rows: unknown[]) => Promise<unknown[]> {
  const isShown = ({ columns }: Added): boolean =>
    names === undefined || columns.some((column) => names.some((name) => name.trim() === column))
  const readers = added.filter(isShown).map(({ read }) => read(client))
  return async (rows) => {
    let whole = rows
    for (const read of readers) {
      const valuesOf = await read(rows as never[])
      whole = whole.map((row, index) => Object.assign({}, row, valuesOf(rows[index] as never)))
    }
    return whole
  }
}

async function* pagesOf(
  fetch: Fetch,
  query: Record<string, unknown>,
  keys: readonly string[],
  options: ListOptions,
): AsyncGenerator<{ results: Row[]; total: number }> {
  const limit = limitOf(options)
  const { page, page_size, ...filters } = query as { page?: number; page_size?: number }
  if (!options.all && limit === undefined) {
    const { data } = await fetch({ query })
    yield data
    return
  }
  if (page !== undefined)
    throw usage('--page cannot be used with --all or --limit, which start at the first page.')
  yield* walkPages({
    fetch: (query) => fetch({ query: { ...filters, ...query } }),
    keyOf: (row) => keyOf(row, keys),
    limit,
    pageSize: page_size,
  })
}

function limitOf({ limit }: ListOptions): number | undefined {
  return limit === undefined ? undefined : wholeNumber(limit, '--limit', 1)
}

/** Merges several queries in the list's order; a row that several queries find appears once. */
async function* mergedPages(
  fetch: Fetch,
  queries: ReadonlyArray<Record<string, unknown>>,
  { keys, by = 'created_at' }: List,
  options: ListOptions,
): AsyncGenerator<{ results: Row[]; total: number }> {
  const [{ page, page_size, sort_by: field = by, sort_dir } = {}] = queries
  if (page !== undefined)
    throw usage('--page cannot be used with several values of a filter.', 'For more rows: --limit or --all.')
  const given = limitOf(options) ?? Number(page_size ?? pageSizeDefault)
  const limit = options.all ? Number.POSITIVE_INFINITY : given
  const isUp = sort_dir === 'asc'
  const precedes = (one: Row, other: Row): boolean => {
    const [first, second] = [String(one[String(field)]), String(other[String(field)])]
    return isUp ? first < second : first > second
  }
  const totals: number[] = []
  const sum = (): number => totals.reduce((all, total) => all + total, 0)
  const lists = queries.map((each, n) => {
    const query = { ...each, page_size: page_size ?? Math.min(limit, pageSizeMax) }
    return rowsOf(pagesOf(fetch, query, keys, { all: true }), totals, n)
  })
  const heads = await Promise.all(lists.map((list) => list.next()))
  const seen = createKeySet()
  for (let results: Row[] = []; ; results = []) {
    while (results.length < pageSizeMax) {
      let first = -1
      for (const [n, { value, done }] of heads.entries())
        if (!done && (first < 0 || precedes(value, heads[first]?.value as Row))) first = n
      const list = lists[first]
      if (list === undefined) return yield { results, total: seen.size }
      const row = heads[first]?.value as Row
      if (seen.add(keyOf(row, keys))) results.push(row)
      if (seen.size >= limit) return yield { results, total: sum() }
      heads[first] = await list.next()
    }
    yield { results, total: sum() }
  }
}

async function* rowsOf(
  pages: AsyncIterable<{ results: Row[]; total: number }>,
  totals: number[],
  n: number,
): AsyncGenerator<Row, undefined> {
  for await (const { results, total } of pages) {
    totals[n] = total
    yield* results
  }
  return undefined
}

function keyOf(row: Row, keys: readonly string[]): string {
  return keys.map((key) => row[key]).join(' ')
}

/** `25 of 612; --all for the rest`; `upTo`: a row that several values find counts several times. */
function moreNotice(
  count: number,
  total: number,
  query: Record<string, unknown>,
  options: ListOptions,
  upTo: string,
): string | undefined {
  const page = Number(query.page ?? 1)
  if (page > 1 && !options.all) {
    const pages = Math.ceil(total / Number(query.page_size ?? pageSizeDefault))
    return count === 0
      ? `no page ${digits(page)}: ${digits(total)} in ${digits(pages)} pages`
      : `page ${digits(page)} of ${digits(pages)}, ${digits(total)} in all`
  }
  if (count === 0) return 'none found'
  return count < total && !options.all
    ? `${digits(count)} of ${upTo}${digits(total)}; --all for the rest`
    : undefined
}

function isPaging(name: string): boolean {
  return name === 'page' || name === 'page_size'
}
