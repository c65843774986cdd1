import { containing, type ScopedTx, type Sql, sql } from '../database.ts'
import type { Candidates, ItemSearch } from '../item-search.ts'

/** An FTS5 index of all trigrams (migrations/0001-foundation.ts). A scope is a range of rowids, so no other scope's items are read. */
export const sqliteSearch: ItemSearch = {
  async insert(tx, texts) {
    const first = tx.scope * scopeSpan
    await tx.insert(
      'items_fts',
      ['rowid', 'search_text'],
      texts.map(({ item_no, text }) => [first + item_no, text]),
    )
  },
  async remove(tx, texts) {
    for (const { item_no, text } of texts) {
      await tx.change(sql`
        insert into items_fts (items_fts, rowid, search_text)
        values ('delete', ${tx.scope * scopeSpan + item_no}, ${text})`)
    }
  },
  async candidates(tx, terms) {
    const trigrams = [...new Set(terms.flatMap(trigramsOf))]
    if (trigrams.length === 0) return null
    const rare = await rareTrigrams(tx, trigrams)
    if (rare.length > 0) return candidatesOf(tx.scope, rare)
    const most = await fewerThanAll(tx)
    const chosen = spread(trigrams, commonMax)
    if (most <= rareBelow || (await countUpTo(tx, chosen, most)) === most) return null
    return candidatesOf(tx.scope, chosen)
  },
  isInWalks: true,
  /** `like` is faster than `instr`, but treats U+FFFD and the two noncharacters after it as equal. */
  holds: (text, term) =>
    /[\ufffd-\uffff]/.test(term)
      ? sql`instr(${text}, ${term}) > 0`
      : sql`${text} like ${containing(term)} escape '\\'`,
}

const scopeSpan = 2 ** 32
/** A trigram in fewer items than this is rare; counting up to it takes 30 µs. */
const rareBelow = 500
/** Checking this few candidates is faster than narrowing them down. */
const fewEnough = 50
/** Trigrams used if none is rare: each one's list may have an entry per item of the scope. */
const commonMax = 6
/** Looking up one item takes as long as walking this many in the index that contains their texts. */
const walkedPerLookup = 50
/** Maximum trigrams used per query: a term may have hundreds, and more would not narrow the result. */
const trigramsMax = 24

/** Adjacent trigrams that cover the term; the last may overlap. */
function trigramsOf(term: string): string[] {
  const characters = [...term]
  if (characters.length < 3) return []
  const found: string[] = []
  for (let at = 0; at + 3 < characters.length; at += 3) found.push(characters.slice(at, at + 3).join(''))
  found.push(characters.slice(-3).join(''))
  return found.slice(-trigramsMax)
}

/** FTS5 reads the longest list it is given (50 ms for a million entries), so if some are rare, use only those. */
async function rareTrigrams(tx: ScopedTx, trigrams: readonly string[]): Promise<string[]> {
  const rare: string[] = []
  for (const trigram of trigrams) {
    const n = await countUpTo(tx, [trigram], rareBelow)
    if (n < rareBelow) rare.push(trigram)
    if (n <= fewEnough) break
  }
  return rare
}

/** How many candidates can be looked up in the time of a walk over all items. */
async function fewerThanAll(tx: ScopedTx): Promise<number> {
  const last = await tx.number(sql`select last_item_no from scopes where id = ${tx.scope}`)
  return Math.ceil(last / walkedPerLookup)
}

function spread(trigrams: readonly string[], most: number): readonly string[] {
  const step = Math.max(1, trigrams.length / most)
  return trigrams.filter((_, at) => Math.floor(at % step) === 0)
}

async function countUpTo(tx: ScopedTx, trigrams: readonly string[], limit: number): Promise<number> {
  return tx.number(sql`
    select count(*) as n from (select 1 from items_fts f where ${matching(tx.scope, trigrams)} limit ${limit})`)
}

/** `cross join` makes SQLite look up the items of the trigrams, never the trigrams of all items. */
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
