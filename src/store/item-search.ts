import type { Tx } from './database.ts'
import type { Sql } from './sql.ts'

/** Candidate items of one scope for a query: its `from`, in which the items are `i`, and its `where`. */
export type Candidates = { from: Sql; where: Sql }

type ItemText = { item_no: number; text: string }

/** How a dialect finds items by a part of their text. */
export type ItemSearch = {
  /** Makes new items findable. */
  insert(tx: Tx, scopeId: number, texts: readonly ItemText[]): Promise<void>
  /** Removes items from the search, given the texts they were inserted with. */
  remove(tx: Tx, scopeId: number, texts: readonly ItemText[]): Promise<void>
  /**
   * A small set of items that includes every one whose text contains all terms; the query itself verifies. Null if the terms
   * are too short, or occur in too many items, to narrow anything down. Terms are folded.
   */
  candidates(tx: Tx, scopeId: number, terms: readonly string[]): Promise<Candidates | null>
  /** Whether the indexes that lists walk contain the texts, so that a walk reads no item. */
  readonly isInWalks: boolean
  /** The condition that a folded text contains a folded term, character for character. */
  holds(text: Sql, term: string): Sql
}
