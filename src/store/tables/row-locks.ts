import type { Tx } from '../database.ts'
import { empty, raw, type Sql } from '../sql.ts'

/**
 * Ends a select of rows that this transaction will change: another that wants the same ones passes over them. SQLite
 * has one writer at a time and needs no word for it.
 */
export function skippingLocked(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for update skip locked') : empty
}
