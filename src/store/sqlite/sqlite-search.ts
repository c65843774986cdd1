import type { Tx } from '../database.ts'
import type { Candidates, ItemSearch } from '../item-search.ts'
import { containing, type Sql, sql } from '../sql.ts'

/**
 * An FTS5 index of all substrings of three characters (migrations/search.ts). Its rowid is the scope's number times
 * 2^32 plus the item's, so that a scope is a range of rowids and no other scope's items are looked at.
 */
export const sqliteSearch: ItemSearch = {
  async insert(tx, scopeId, texts) {
    const first = scopeId * scopeSpan
    await tx.insert(
      'items_fts',
      ['rowid', 'search_text'],
      texts.map(({ item_no, text }) => [first + item_no, text]),
    )
  },
  async remove(tx, scopeId, texts) {
    for (const { item_no, text } of texts) {
      await tx.change(sql`
        insert into items_fts (items_fts, rowid, search_text)
        values ('delete', ${scopeId * scopeSpan + item_no}, ${text})`)
    }
  },
  async candidates(tx, scopeId, terms) {
    const trigrams = [...new Set(terms.flatMap(trigramsOf))]
    if (trigrams.length === 0) return null
    const rare = await rareOnes(tx, scopeId, trigrams)
    if (rare.length > 0) return candidatesOf(scopeId, rare)
    const most = await fewerThanAll(tx, scopeId)
    const chosen = spread(trigrams, commonMax)
    if (most <= rareBelow || (await areDense(tx, scopeId, chosen))) return null
    if ((await countUpTo(tx, scopeId, chosen, most)) === most) return null
    return candidatesOf(scopeId, chosen)
  },
  isInWalks: true,
  /** Faster than `instr`; but to `like`, U+FFFD and the two that are no characters are one. */
  holds: (text, term) =>
    /[\ufffd-\uffff]/.test(term)
      ? sql`instr(${text}, ${term}) > 0`
      : sql`${text} like ${containing(term)} escape '\\'`,
}

const scopeSpan = 2 ** 32
/** A trigram that fewer items than this have is rare: counting so far takes 30 µs. */
const rareBelow = 500
/** So few candidates are looked at faster than narrowed down. */
const fewEnough = 50
/** Where no trigram is rare so many narrow down: each is a list of up to as many entries as the scope has items. */
const commonMax = 6
/** An item is looked up in the time that this many are walked over in the index that holds their texts. */
const walkedInALookUp = 50
/** Trigrams of a query; a term may have hundreds, and these narrow it down as well as all. */
const trigramsMax = 24

/** Substrings of three characters that cover the term, side by side; the last may overlap. */
function trigramsOf(term: string): string[] {
  const characters = [...term]
  if (characters.length < 3) return []
  const found: string[] = []
  for (let at = 0; at + 3 < characters.length; at += 3) found.push(characters.slice(at, at + 3).join(''))
  found.push(characters.slice(-3).join(''))
  return found.slice(-trigramsMax)
}

/**
 * FTS5 reads through the longest list that it is given, a million entries of a common trigram in 50 ms; where some are
 * rare, those alone narrow down as well.
 */
async function rareOnes(tx: Tx, scopeId: number, trigrams: readonly string[]): Promise<string[]> {
  const rare: string[] = []
  for (const trigram of trigrams) {
    const n = await countUpTo(tx, scopeId, [trigram], rareBelow)
    if (n < rareBelow) rare.push(trigram)
    if (n <= fewEnough) break
  }
  return rare
}

/** How many candidates are looked up in the time that all items are walked over. */
async function fewerThanAll(tx: Tx, scopeId: number): Promise<number> {
  const row = await tx.get<{ last_item_no: number }>(
    sql`select last_item_no from scopes where id = ${scopeId}`,
  )
  return Math.ceil((row?.last_item_no ?? 0) / walkedInALookUp)
}

/**
 * Whether so many of the first items are candidates that, going on like this, twice as many as are worth it would be: counting
 * on takes a twentieth of the walk that follows.
 */
async function areDense(tx: Tx, scopeId: number, trigrams: readonly string[]): Promise<boolean> {
  const row = await tx.get<{ item_no: number }>(sql`
    select f.rowid - ${scopeId * scopeSpan} as item_no from items_fts f where ${matching(scopeId, trigrams)}
    order by f.rowid limit 1 offset ${rareBelow - 1}`)
  return row !== undefined && row.item_no * 2 <= rareBelow * walkedInALookUp
}

function spread(trigrams: readonly string[], most: number): readonly string[] {
  const step = Math.max(1, trigrams.length / most)
  return trigrams.filter((_, at) => Math.floor(at % step) === 0)
}

async function countUpTo(
  tx: Tx,
  scopeId: number,
  trigrams: readonly string[],
  limit: number,
): Promise<number> {
  const row = await tx.get<{ n: number }>(sql`
    select count(*) as n from (select 1 from items_fts f where ${matching(scopeId, trigrams)} limit ${limit})`)
  return row?.n ?? 0
}

/** `cross join`: SQLite then looks up the items of the trigrams, never the trigrams of all items. */
function candidatesOf(scopeId: number, trigrams: readonly string[]): Candidates {
  return {
    from: sql`items_fts f cross join items i`,
    where: sql`
      ${matching(scopeId, trigrams)} and i.scope_id = ${scopeId} and i.item_no = f.rowid - ${scopeId * scopeSpan}`,
  }
}

function matching(scopeId: number, trigrams: readonly string[]): Sql {
  const query = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
  const first = scopeId * scopeSpan
  return sql`f.items_fts match ${query} and f.rowid between ${first} and ${first + scopeSpan - 1}`
}
