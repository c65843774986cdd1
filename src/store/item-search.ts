import type { Dialect, Tx } from './database.ts'
import { postgresSearch } from './postgres/pg-search.ts'
import type { Sql } from './sql.ts'
import { sqliteSearch } from './sqlite/sqlite-search.ts'

/** Items of one scope to look at in a query: what stands in its `from`, where the items are `i`, and what in its `where`. */
export type Candidates = { from: Sql; where: Sql }

/** How a dialect finds items by a part of their text. */
export type ItemSearch = {
  /** Makes new items findable. */
  insert(tx: Tx, scopeId: number, texts: ReadonlyArray<{ item_no: number; text: string }>): Promise<void>
  /**
   * Few items among which are all whose text holds every one of the terms; the query itself verifies. Null where the
   * terms are too short to narrow anything down. Terms are folded.
   */
  candidates(tx: Tx, scopeId: number, terms: readonly string[]): Promise<Candidates | null>
}

const searches: Record<Dialect, ItemSearch> = { sqlite: sqliteSearch, postgres: postgresSearch }

export function searchOf(tx: Tx): ItemSearch {
  return searches[tx.dialect]
}
