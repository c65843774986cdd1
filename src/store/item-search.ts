import type { ScopedTx, Sql } from './database.ts'

/** Candidate items of one scope: a `from` clause that names the items `i`, and a `where` clause. */
export type Candidates = { from: Sql; where: Sql }

type ItemText = { item_no: number; text: string }

export type ItemSearch = {
  insert(tx: ScopedTx, texts: readonly ItemText[]): Promise<void>
  /** Removes items from the index. The texts must equal those that were inserted. */
  remove(tx: ScopedTx, texts: readonly ItemText[]): Promise<void>
  /** A small superset of the items containing all (folded) terms. Null if the terms are too short or common to narrow it. */
  candidates(tx: ScopedTx, terms: readonly string[]): Promise<Candidates | null>
  /** Whether the indexes that lists walk contain the texts, so that a walk need not read the items. */
  readonly isInWalks: boolean
  /** Whether a folded text contains a folded term, character for character. */
  holds(text: Sql, term: string): Sql
}
