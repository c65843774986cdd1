import { containing, type Database, join, raw, type Sql, StoreError, sql, type Tx } from '../database.ts'
import type { ItemSearch } from '../item-search.ts'

/** A trigram GIN index, led by the scope if `btree_gin` is installed. Without `pg_trgm`, a search reads every item. */
export const postgresSearch: ItemSearch = {
  async insert() {},
  async remove() {},
  async candidates({ scope }, terms) {
    const parts = [...new Set(terms.flatMap(selectiveParts))].slice(-partsMax)
    if (parts.length === 0) return null
    const likes = parts.map((part) => sql`search_text like ${containing(part)}`)
    return { from: sql`(${candidatesOf(scope, join(likes, ' and '))}) i`, where: sql`1 = 1` }
  },
  /** An entry may have at most 2.7 KB, and several processes read it no faster than the table. */
  isInWalks: false,
  holds: (text, term) => sql`strpos(${text}, ${term}) > 0`,
}

/** Maximum parts used of a query: each is planned twice; more narrow no further. The last ones: names of a set start alike. */
const partsMax = 12

/**
 * The search index lists all items of a scope under its id: worth reading if others own most items, a waste if this scope does.
 * The query decides when it runs, by the last `analyze`, and runs only one half. An `int` does not match the index but still
 * finds the shard.
 */
function candidatesOf(scopeId: number, likes: Sql): Sql {
  const hasMost = sql`(
    select s.last_item_no * 2 > c.reltuples and c.reltuples > 0 from scopes s, pg_class c
    where s.id = ${scopeId} and c.oid = to_regclass('items'))`
  return sql`
    select * from items where scope_id = cast(${scopeId} as int) and ${likes} and ${hasMost}
    union all
    select * from items where scope_id = ${scopeId} and ${likes} and ${hasMost} is not true`
}

/** Creates the index if it is missing and allowed; each `migrate` retries. Returns a message if `search` must read every item. */
export async function ensureSearchIndex(db: Database): Promise<string | undefined> {
  if (await db.read(hasIndex)) return undefined
  const reason = await addExtension(db, 'pg_trgm')
  if (reason !== undefined) {
    return (
      `The extension pg_trgm could not be created (${reason}): search reads every item. ` +
      'Have an administrator run "create extension pg_trgm; create extension btree_gin" in this database, ' +
      'then run: custody db migrate'
    )
  }
  await addExtension(db, 'btree_gin')
  return unlessRejected(() => db.write(addIndex, { patient: true }))
}

/** Rebuilds the index with the scope first if `btree_gin` came later; writers wait. Returns a message if it may not. */
export async function widenSearchIndex(db: Database): Promise<string | undefined> {
  if (!(await db.read(lacksScope))) return undefined
  return unlessRejected(() => db.write(widenIndex, { patient: true }))
}

async function lacksScope(tx: Tx): Promise<boolean> {
  const index = sql`select pg_get_indexdef(to_regclass('items_by_text')) as text`
  const text = await tx.value<string | null>(index)
  return !!text && !text.includes('scope_id') && (await schemaOf(tx, 'btree_gin')) !== undefined
}

/** Returns a message if the user may not change the index: someone else must then migrate. */
async function unlessRejected(addIndex: () => Promise<void>): Promise<string | undefined> {
  try {
    await addIndex()
    return undefined
  } catch (error) {
    if (!(error instanceof StoreError) || error.fault !== 'refused') throw error
    return (
      `The search index could not be created (${reasonOf(error)}): search reads more items than it needs. ` +
      'Have the owner of the tables run: custody db migrate'
    )
  }
}

async function hasIndex(tx: Tx): Promise<boolean> {
  return (await tx.get(sql`select 1 as found where to_regclass('items_by_text') is not null`)) !== undefined
}

async function addExtension(db: Database, name: 'pg_trgm' | 'btree_gin'): Promise<string | undefined> {
  if (await db.read((tx) => schemaOf(tx, name))) return undefined
  try {
    await db.write((tx) => tx.run(sql`create extension if not exists ${raw(name)}`), { patient: true })
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** An extension's schema need not be on the search path. */
async function schemaOf(tx: Tx, extension: string): Promise<string | undefined> {
  return tx.value(sql`
    select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = ${extension}`)
}

async function widenIndex(tx: Tx): Promise<void> {
  await tx.run(sql`alter index items_by_text rename to items_by_text_alone`)
  await addIndex(tx)
  await tx.run(sql`drop index items_by_text_alone`)
}

async function addIndex(tx: Tx): Promise<void> {
  const trigrams = raw(`${await schemaOf(tx, 'pg_trgm')}.gin_trgm_ops`)
  const byScope = await schemaOf(tx, 'btree_gin')
  const scope = byScope === undefined ? raw('') : raw(`scope_id ${byScope}.int8_ops,`)
  await tx.run(
    sql`create index if not exists items_by_text on items using gin (${scope} search_text ${trigrams})`,
  )
}

/**
 * Parts of a term that narrow a search as well as the whole, in few trigrams: the index reads each one's full list, up to a
 * million entries. Words differ at their start, numbers at their end; long ones add the other end, for sets that begin (or end)
 * alike. One or two characters form a trigram only with their neighbors.
 */
export function selectiveParts(term: string): string[] {
  return [...term.matchAll(/([^\p{L}\p{N}]?)([\p{L}\p{N}]+)(?=([^\p{L}\p{N}]?))/gu)].flatMap(
    ([, before = '', word = '', after = '']) => {
      const length = [...word].length
      if (length >= 3) return (word.match(/\p{L}{3,}|\p{N}{3,}/gu) ?? [word]).flatMap(ends)
      return before !== '' || (length === 2 && after !== '') ? [before + word + after] : []
    },
  )
}

function ends(run: string): string[] {
  const characters = [...run]
  const isNumber = /^\p{N}/u.test(run)
  const begin = characters.slice(0, isNumber ? 3 : 4).join('')
  const end = characters.slice(isNumber ? -4 : -3).join('')
  if (characters.length > 6) return [begin, end]
  return [isNumber ? end : begin]
}
