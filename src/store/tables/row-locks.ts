import type { Tx } from '../database.ts'
import { empty, raw, type Sql } from '../sql.ts'

/**
 * Ends a select of rows that this transaction will change: others that want the same rows skip them. SQLite has one writer at
 * a time and needs nothing of the kind.
 */
export function skippingLocked(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for update skip locked') : empty
}
