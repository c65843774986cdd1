import type { Tx } from './database.ts'
import type { Sql } from './sql.ts'

/** Items of one scope to look at in a query: what stands in its `from`, where the items are `i`, and what in its `where`. */
export type Candidates = { from: Sql; where: Sql }

type ItemText = { item_no: number; text: string }

/** How a dialect finds items by a part of their text. */
export type ItemSearch = {
  /** Makes new items findable. */
  insert(tx: Tx, scopeId: number, texts: readonly ItemText[]): Promise<void>
  /** Makes items no longer findable by the texts that they were made findable by. */
  remove(tx: Tx, scopeId: number, texts: readonly ItemText[]): Promise<void>
  /**
   * Few items among which are all whose text holds every one of the terms; the query itself verifies. Null where the
   * terms are too short, or stand in too many items, to narrow anything down. Terms are folded.
   */
  candidates(tx: Tx, scopeId: number, terms: readonly string[]): Promise<Candidates | null>
  /** Whether the indexes that lists walk over hold the texts, so that a walk over all reads no item. */
  readonly isInWalks: boolean
  /** That a folded text holds a folded term, character for character. */
  holds(text: Sql, term: string): Sql
}
