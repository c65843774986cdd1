import type { Tx } from '../database.ts'
import { empty, raw, type Sql } from '../sql.ts'

// SQLite has one writer at a time and needs nothing of the kind.

/** Ends a select of rows that this transaction will change: others that want the same rows skip them. */
export function skippingLocked(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for update skip locked') : empty
}

/** Ends a select of a row that nobody else is to change until this transaction ends. */
export function keepingWritersOut(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for no key update') : empty
}

/** Ends a select of a row that is not to be deleted until this transaction ends; one that is being deleted is not found. */
export function keepingThere(tx: Tx): Sql {
  return tx.dialect === 'postgres' ? raw('for key share skip locked') : empty
}
