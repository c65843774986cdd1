import { NetworkError } from './network-error.ts'

type Query = Record<string, unknown>
type Page = { data: object; headers: Readonly<Record<string, string>> }

/** Every page, each requested after the previous one was handled. Throws on a list that never ends. */
export async function* pagesOf<T extends Page>(
  fetch: (query: Query) => Promise<T>,
  first: Query = {},
): AsyncGenerator<T, void, undefined> {
  const check = createPageCheck()
  for (let query: Query | undefined = first; query !== undefined; ) {
    const answer: T = await fetch(query)
    check(answer.data)
    yield answer
    query = nextQuery(answer, query)
  }
}

type Paged = { next_page_number?: unknown; has_more?: unknown; next_starting_after?: unknown }

function nextQuery(answer: Page, query: Query): Query | undefined {
  const { next_page_number, has_more, next_starting_after } = answer.data as Paged
  if (typeof next_page_number === 'number') return { ...query, page: next_page_number }
  if (has_more === true && next_starting_after) return { ...query, starting_after: next_starting_after }
  return hasNextPage(answer) ? { ...query, page: Number(query.page ?? 1) + 1 } : undefined
}

export function hasNextPage({ headers }: Pick<Page, 'headers'>): boolean {
  return /;\s*rel="?next"?/.test(headers.link ?? '')
}

/** Rows move while a list is read, but repeats never fill this many consecutive pages of the same total. */
const repeatsMax = 10

function createPageCheck(): (page: { total?: unknown }) => void {
  const seen = new Set<string>()
  let repeats = 0
  return (page) => {
    const lists = Object.values(page).filter(Array.isArray)
    const key = JSON.stringify([page.total, lists.map((rows) => [rows.length, rows[0]])])
    repeats = seen.has(key) ? repeats + 1 : 0
    seen.add(key)
    if (repeats === repeatsMax)
      throw new NetworkError('foreign', `The list does not end: ${repeatsMax} pages repeat earlier ones`)
  }
}
