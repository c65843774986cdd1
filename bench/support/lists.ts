import type { Call } from '../../src/contract/call.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { createService } from '../../src/service/service.ts'
import { type Database, sql } from '../../src/store/database.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import { itemRecord, rareSku, rareWord } from './item-data.ts'
import { ms, note, report, takeTurns } from './measure.ts'

/** Items in the small and in the large database. */
export const listSizes = [10_000, 1_000_000] as const
const slowdownMax = 2
const turns = 200

type Query = Record<string, string | number>
type List = (query: Query) => Promise<{ total: number; count: number }>

/**
 * GET /items on 10,000 and on 1,000,000 items, answered in process by the whole service (parsing, SQL, envelope): at a million
 * each list takes at most twice as long, and pages far from the first at most `deepMaxMs`. Terms of `sku` and `search` match
 * as many items in both; broad ones take at most `broadMax` times as long as scanning all texts in memory.
 */
export async function benchLists(
  databases: ReadonlyArray<{ db: Database; scope: Scope }>,
  deepMaxMs: number,
  broadMax: number,
): Promise<void> {
  const [small, large] = databases.map(listOver)
  if (!small || !large) throw new Error('two databases are compared')
  await compare(small, large)
  await deepPages(large, deepMaxMs)
  await broadTerms(large, await heldTexts(databases[1]), broadMax)
  await otherBroadLists(small, large)
}

function listOver({ db, scope }: { db: Database; scope: Scope }): List {
  const service = createService({
    db,
    environment: 'sandbox',
    sources: runtime,
    settings: defaultSettings,
    principal: scope,
  })
  return async (query) => {
    const reply = await service.handle(callOf(query))
    if (reply.status !== 200) throw new Error(reply.body)
    const [, count, found] = /"count":(\d+),"total":(\d+)/.exec(reply.body) ?? []
    return { count: Number(count), total: Number(found) }
  }
}

function callOf(query: Query): Call {
  return {
    operation: 'listItems',
    params: {},
    query: Object.entries(query).map(([name, value]) => [name, String(value)]),
    headers: {},
    body: async () => ({ kind: 'empty' }),
    baseUrl: 'https://custody.example/v1',
  }
}

async function compare(small: List, large: List): Promise<void> {
  const certs = listSizes.map(certOf)
  const queries: Array<[string, (at: 0 | 1) => Query]> = [
    ['page 1', () => ({})],
    ['page 100', () => ({ page: 100 })],
    ['sku', () => ({ sku: rareSku.toLowerCase() })],
    ['search', () => ({ search: rareWord.toUpperCase() })],
    ['status', () => ({ status: 'received' })],
    ['cert_number', (at) => ({ cert_number: certs[at] ?? '' })],
    ['grader', () => ({ grader: 'sgc' })],
    ['intake_after', () => ({ intake_after: '2025-01-01T00:00:00Z' })],
  ]
  for (const [name, query] of queries) {
    const [first = 0, second = 0] = await takeTurns([() => small(query(0)), () => large(query(1))], turns)
    const measured = `${(second / first).toFixed(2)}x (${ms(first)} -> ${ms(second)})`
    report(`items ${name}`, measured, second / first, slowdownMax, 'x')
  }
}

/** The certificate of a held item somewhere in the middle. */
function certOf(total: number): string {
  for (let no = Math.floor(total / 2); ; no++) {
    const { item } = itemRecord(no, total)
    if (item.cert_number !== null && item.status === 'available') return item.cert_number
  }
}

async function deepPages(large: List, deepMaxMs: number): Promise<void> {
  const { total } = await large({ page_size: 250 })
  const last = Math.ceil(total / 250)
  const pages: Array<[string, Query]> = [
    ['page 100 of 250', { page: 100, page_size: 250 }],
    [`page ${last} of 250 (the last)`, { page: last, page_size: 250 }],
    [
      'last page, oldest change first',
      { page: last, page_size: 250, sort_by: 'updated_at', sort_dir: 'asc' },
    ],
    ['page in the middle', { page: Math.floor(last / 2), page_size: 250 }],
    [
      'page in the middle, by last change',
      { page: Math.floor(last / 2), page_size: 250, sort_by: 'updated_at' },
    ],
    ['page in the middle of a span', { page: 1000, page_size: 250, intake_after: '2025-01-01T00:00:00Z' }],
  ]
  for (const [name, query] of pages) {
    const [time = 0] = await takeTurns([() => large(query)], 30)
    report(name, ms(time), time, deepMaxMs, ' ms')
  }
}

/** The searched texts of all held items. */
async function heldTexts(large: { db: Database; scope: Scope } | undefined): Promise<string[]> {
  const rows = await large?.db.read((tx) =>
    tx.all<{ search_text: string }>(
      sql`select search_text from items where scope_id = ${large.scope.id} and held = 1`,
    ),
  )
  return (rows ?? []).map((row) => row.search_text)
}

async function broadTerms(large: List, texts: readonly string[], broadMax: number): Promise<void> {
  const queries: Query[] = [
    { search: 'charizard holo' },
    { search: 'charizard' },
    { search: 'pokemon' },
    { search: 'pokemon', page: 2000 },
    { search: 'pokemon', sort_by: 'updated_at' },
    { search: 'pokemon', sort_by: 'updated_at', page: 2000 },
    { search: 'pokemon', status: 'available', grader: 'psa' },
    { search: 'pokemon', sku: 'psa' },
    { sku: 'psa' },
    { search: '#1' },
    { search: 'e' },
    { search: '~' },
    { search: 'psa 10 pokemon charizard holo 1999' },
  ]
  for (const query of queries) {
    const term = String(query.search ?? query.sku)
    const inMemory = () => texts.filter((text) => text.includes(term)).length
    const [searched = 0, memory = 0] = await takeTurns([() => large(query), inMemory], 15)
    const { total } = await large(query)
    const measured = `${(searched / memory).toFixed(2)}x (${ms(memory)} -> ${ms(searched)}, ${total})`
    report(nameOf(query), measured, searched / memory, broadMax, 'x')
  }
}

async function otherBroadLists(small: List, large: List): Promise<void> {
  const queries: Query[] = [
    { grader: 'sgc', sort_by: 'updated_at' },
    { grader: 'sgc', intake_after: '2025-01-01T00:00:00Z' },
  ]
  for (const query of queries) {
    const [first = 0, second = 0] = await takeTurns([() => small(query), () => large(query)], 15)
    const found = [(await small(query)).total, (await large(query)).total]
    const measured = `${ms(first)} for ${found[0]} items -> ${ms(second)} for ${found[1]}, no limit`
    note(nameOf(query), measured)
  }
}

function nameOf(query: Query): string {
  return Object.entries(query)
    .map(([parameter, value]) => `${parameter}=${value}`)
    .join(' ')
}
